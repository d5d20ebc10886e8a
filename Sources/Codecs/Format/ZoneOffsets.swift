package import Essentials

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
  }

  package static let utc = ZoneOffsets(identifier: "UTC", changes: [Change(start: 0, offset: 0)])
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
      self.init(identifier: identifier, changes: [Change(start: 0, offset: offset)])
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

  private init(identifier: String, changes: [Change]) {
    (self.identifier, self.changes) = (identifier, changes)
  }

  /// The zone's offset from GMT at a time, in seconds.
  package func secondsFromGMT(for date: Date) -> Int {
    let moment = date.timeIntervalSince1970
    return (changes.last { Double($0.start) <= moment } ?? changes[0]).offset
  }
}

extension ZoneOffsets {
  private static func changesOfProcess() -> [Change] {
    let (week, end) = (7 * 86_400, 131 * 365 * 86_400)
    var changes = [Change(start: 0, offset: offset(at: 0))]
    for start in stride(from: 0, to: end, by: week) {
      let (before, after) = (offset(at: start), offset(at: start + week))
      guard before != after else { continue }
      // Assumes at most one change of offset per week.
      var (low, high) = (start, start + week)
      while high - low > 1 {
        let middle = (low + high) / 2
        if offset(at: middle) == before { low = middle } else { high = middle }
      }
      changes.append(Change(start: high, offset: after))
    }
    return changes
  }

  private static func offset(at second: Int) -> Int {
    var (seconds, fields) = (time_t(second), tm())
    return localtime_r(&seconds, &fields) == nil ? 0 : Int(fields.tm_gmtoff)
  }
}
