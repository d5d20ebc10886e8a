/// The intervals that have begun and not ended, by name and id.
struct OpenIntervals {
  /// More than so many are not remembered: states may be thrown away without an end.
  static let capacity = 16_384

  /// Name and id; two literals of the same text are the same name.
  private struct Key: Hashable {
    let name: StaticString
    let id: SignpostID

    static func == (left: Self, right: Self) -> Bool {
      left.id == right.id && left.name.isEqual(to: right.name)
    }

    func hash(into hasher: inout Hasher) {
      // The names of one category are few; hashing their text would cost more than comparing it does.
      hasher.combine(id.rawValue)
    }
  }

  private var begins: [Key: Duration] = [:]

  /// Remembers a begin.
  ///
  /// - Returns: Whether one of that name and id is open already; from now on the later one counts.
  mutating func begin(_ name: StaticString, _ id: SignpostID, at time: Duration) -> Bool {
    guard begins.count < Self.capacity else { return false }
    return begins.updateValue(time, forKey: Key(name: name, id: id)) != nil
  }

  /// Forgets an interval and tells when it began.
  mutating func end(_ name: StaticString, _ id: SignpostID) -> Duration? {
    begins.removeValue(forKey: Key(name: name, id: id))
  }
}

extension StaticString {
  /// Whether the texts are the same; literals of one text may lie in several places.
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
