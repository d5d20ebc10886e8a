import Platform

/// The intervals that have begun and not ended.
///
/// A begin takes a place and its end returns it, so neither has to search; only the end of a recreated state does.
struct OpenIntervals {
  /// Maximum open intervals; further ones are neither kept nor checked, because a state may be discarded without an end.
  static let capacity = 16_384

  /// A token from a begin, returned by its end.
  struct Ticket: Sendable {
    fileprivate let place: Int
    /// Distinguishes consecutive intervals in the same place.
    fileprivate let serial: UInt64
  }

  private struct Place {
    let name: StaticString
    let id: SignpostID
    let time: MonotonicInstant
    /// 0 if the place is free.
    var serial: UInt64
  }

  private var places: [Place] = []
  private var free: [Int] = []
  private var lastSerial: UInt64 = 0
  /// The place of the latest open exclusive interval of each name.
  private var exclusive: [(name: StaticString, place: Int?)] = []

  /// Registers a begin.
  ///
  /// - Returns: The ticket for the end, if there was a place, and whether another exclusive interval of the name is open.
  mutating func begin(_ name: StaticString, _ id: SignpostID, at time: MonotonicInstant) -> (
    ticket: Ticket?, isOverlapping: Bool
  ) {
    lastSerial += 1
    let place = take(Place(name: name, id: id, time: time, serial: lastSerial))
    let ticket = place.map { Ticket(place: $0, serial: lastSerial) }
    guard id == .exclusive else { return (ticket, false) }
    guard let index = exclusive.firstIndex(where: { $0.name.isEqual(to: name) }) else {
      exclusive.append((name, place))
      return (ticket, false)
    }
    defer { exclusive[index].place = place }
    return (ticket, exclusive[index].place != nil)
  }

  /// Removes the interval of a ticket.
  ///
  /// - Returns: True if it was still open.
  mutating func end(_ ticket: Ticket) -> Bool {
    guard places[ticket.place].serial == ticket.serial else { return false }
    release(ticket.place)
    return true
  }

  /// Removes the latest interval of a name and id, and returns its start.
  mutating func end(_ name: StaticString, _ id: SignpostID) -> MonotonicInstant? {
    let found = places.indices.filter {
      places[$0].serial > 0 && places[$0].id == id && places[$0].name.isEqual(to: name)
    }
    guard let place = found.max(by: { places[$0].serial < places[$1].serial }) else { return nil }
    release(place)
    return places[place].time
  }

  private mutating func take(_ new: Place) -> Int? {
    if let place = free.popLast() {
      places[place] = new
      return place
    }
    guard places.count < Self.capacity else { return nil }
    places.append(new)
    return places.count - 1
  }

  private mutating func release(_ place: Int) {
    places[place].serial = 0
    free.append(place)
    guard places[place].id == .exclusive else { return }
    if let index = exclusive.firstIndex(where: { $0.place == place }) { exclusive[index].place = nil }
  }
}

extension StaticString {
  /// True if the texts are equal; literals with the same text may have several addresses.
  func isEqual(to other: StaticString) -> Bool {
    guard hasPointerRepresentation, other.hasPointerRepresentation else {
      return description == other.description
    }
    let (left, right) = (utf8Start, other.utf8Start)
    guard utf8CodeUnitCount == other.utf8CodeUnitCount else { return false }
    return left == right
      || UnsafeBufferPointer(start: left, count: utf8CodeUnitCount)
        .elementsEqual(UnsafeBufferPointer(start: right, count: utf8CodeUnitCount))
  }
}
