package import Essentials

/// The offsets of a time zone between 1970 and 2100, read from the C library once.
///
/// Foundation's essentials know no zones but fixed offsets, and the C library has one zone for the whole process.
package struct ZoneOffsets: Hashable, Sendable {
  /// Such as `Europe/Berlin`.
  package let identifier: String
  /// The seconds ahead of GMT, each from a moment on, in seconds since 1970; in their order.
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

  /// A zone that the system knows by this name; `nil` for any other.
  ///
  /// Changes the zone of the process for a moment: for the time before there are threads that ask for it.
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

  /// The seconds that the zone's clocks are ahead of GMT at a moment.
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
      // No zone changes its clocks twice within a week and back.
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
