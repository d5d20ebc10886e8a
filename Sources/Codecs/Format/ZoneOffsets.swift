package import Essentials
package import Platform

/// The offsets of a time zone between 1970 and 2100, read from the C library once.
///
/// FoundationEssentials supports only fixed offsets, and the C library has only one zone per process.
package struct ZoneOffsets: Hashable, Sendable {
  /// Such as `Europe/Berlin`.
  package let identifier: String
  /// The offsets in seconds east of GMT, each with its start in seconds since 1970, in ascending order.
  private let changes: [Change]

  private struct Change: Hashable {
    var start: Int
    var offset: Int
    /// Such as `CET`.
    var name = ""
  }

  package static let utc = ZoneOffsets(offset: 0, identifier: "UTC")
  /// The zone of this machine.
  package static var current: ZoneOffsets {
    ZoneOffsets(identifier: ZoneName.current, changes: changesOfProcess())
  }

  /// A zone of this name that the system knows; `nil` for any other name.
  ///
  /// Temporarily changes the time zone of the process, so call this before other threads use it.
  package init?(identifier: String) {
    if ["UTC", "GMT"].contains(identifier) {
      self.init(identifier: identifier, changes: Self.utc.changes)
      return
    }
    guard ZoneName.isKnown(identifier) else {
      guard let offset = TimeZone(identifier: identifier)?.secondsFromGMT() else { return nil }
      self.init(offset: offset, identifier: identifier)
      return
    }
    let before = getenv("TZ").map { String(cString: $0) }
    setenv("TZ", identifier, 1)
    tzset()
    defer {
      if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
      tzset()
    }
    self.init(identifier: identifier, changes: Self.changesOfProcess())
  }

  /// The texts that ``init(text:)`` reads, for messages.
  package static let expected = "a time zone, such as Europe/Berlin, +01:00, UTC or local"

  /// A zone as people write it: the name of one that the system knows, `+01:00`, `-0330`, `+02`, `UTC`, `Z`, or `local`
  /// for this machine's.
  ///
  /// Call it early, for the same reason as ``init(identifier:)``.
  package init?(text: String) {
    if text == "local" {
      self = .current
    } else if text == "Z" {
      self = .utc
    } else if let sign = text.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      let digits = text.utf8.dropFirst().filter { $0 != UInt8(ascii: ":") }
      guard digits.count == 2 || digits.count == 4, digits.allSatisfy({ 0x30...0x39 ~= $0 }),
        text.utf8.count <= 6,
        let number = Int(String(decoding: digits, as: UTF8.self))
      else { return nil }
      let (hours, minutes) = digits.count == 2 ? (number, 0) : number.quotientAndRemainder(dividingBy: 100)
      guard hours < 24, minutes < 60 else { return nil }
      let seconds = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
      self.init(offset: seconds, identifier: Self.name(ofOffset: seconds))
    } else {
      self.init(identifier: text)
    }
  }

  /// The name of an offset in seconds, such as `+09:00`.
  package static func name(ofOffset seconds: Int) -> String {
    let minutes = min(Int(seconds.magnitude / 60), 99 * 60)
    return (seconds < 0 ? "-" : "+") + Decimals.padded(minutes / 60, to: 2) + ":"
      + Decimals.padded(minutes % 60, to: 2)
  }

  /// A zone with the same offset at all times, in seconds east of GMT.
  package init(offset: Int, identifier: String) {
    self.init(identifier: identifier, changes: [Change(start: 0, offset: offset)])
  }

  private init(identifier: String, changes: [Change]) {
    (self.identifier, self.changes) = (identifier, changes)
  }

  /// The zone's offset from GMT at a time, in seconds.
  package func secondsFromGMT(for date: Date) -> Int { offset(at: date.timeIntervalSince1970) }

  /// The zone's offset from GMT at a time, in seconds.
  package func offset(at time: Timestamp) -> Int { offset(at: time.unixSeconds) }

  private func offset(at unixSeconds: Double) -> Int {
    (changes.last { Double($0.start) <= unixSeconds } ?? changes[0]).offset
  }

  /// The time at which clocks of the zone show a local time, which is passed as if it were UTC.
  ///
  /// Of an hour that the clocks repeat, the first; an hour that they skip counts as if they had not.
  package func moment(showing shown: Timestamp) -> Timestamp {
    guard changes.count > 1 else { return shown - Double(changes[0].offset) }
    return WallTime.moment(showing: shown) { Double(offset(at: $0)) }
  }

  /// The offset that a name of the zone's clocks stands for, such as 3600 for `CET`; `nil` for other names.
  package func offset(named name: String) -> Int? { changes.last { $0.name == name }?.offset }
}

extension ZoneOffsets {
  private static func changesOfProcess() -> [Change] {
    let (week, end) = (7 * 86_400, 131 * 365 * 86_400)
    var changes = [Change(start: 0, offset: offset(at: 0), name: name(at: 0))]
    for start in stride(from: 0, to: end, by: week) {
      let (before, after) = (offset(at: start), offset(at: start + week))
      guard before != after else { continue }
      // Assumes at most one change of offset per week.
      var (low, high) = (start, start + week)
      while high - low > 1 {
        let middle = (low + high) / 2
        if offset(at: middle) == before { low = middle } else { high = middle }
      }
      changes.append(Change(start: high, offset: after, name: name(at: high)))
    }
    return changes
  }

  private static func offset(at second: Int) -> Int { fields(at: second).map { Int($0.tm_gmtoff) } ?? 0 }

  private static func name(at second: Int) -> String {
    fields(at: second)?.tm_zone.map { String(cString: $0) } ?? ""
  }

  private static func fields(at second: Int) -> tm? {
    var (seconds, fields) = (time_t(second), tm())
    return localtime_r(&seconds, &fields) == nil ? nil : fields
  }
}
