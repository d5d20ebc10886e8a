package import Essentials

extension Timestamp {
  /// Seconds from 1970-01-01, where Unix begins to count, to 2001-01-01.
  package static let unixEpochDistance = 978_307_200

  /// A moment as Unix counts: seconds since 1970-01-01 00:00 UTC.
  package init(unixSeconds: Double) {
    self.init(unixSeconds - Double(Self.unixEpochDistance))
  }

  /// Seconds since 1970-01-01 00:00 UTC.
  package var unixSeconds: Double { seconds + Double(Self.unixEpochDistance) }

  /// The moment of a date.
  package init(_ date: Date) {
    self.init(date.timeIntervalSinceReferenceDate)
  }

  /// The same moment for Foundation.
  package var date: Date { Date(timeIntervalSinceReferenceDate: seconds) }
}
