package import Essentials

extension Timestamp {
  /// Seconds from 1970-01-01, the Unix epoch, to 2001-01-01.
  package static let unixEpochDistance = 978_307_200

  /// A time from Unix time: seconds since 1970-01-01 00:00 UTC.
  package init(unixSeconds: Double) {
    self.init(unixSeconds - Double(Self.unixEpochDistance))
  }

  /// Seconds since 1970-01-01 00:00 UTC.
  package var unixSeconds: Double { seconds + Double(Self.unixEpochDistance) }

  /// A time from a date.
  package init(_ date: Date) {
    self.init(date.timeIntervalSinceReferenceDate)
  }

  /// The same time for Foundation.
  package var date: Date { Date(timeIntervalSinceReferenceDate: seconds) }
}
