import Essentials

/// A calendar day, independent of time zones: the number of days since 1 January 1970.
struct CalendarDay: Hashable, Comparable, Sendable {
  /// From 1970 to the last year but one that a payload can express.
  private static let range = 0...2_932_530

  let number: Int

  /// A day by its number; `nil` if a payload cannot express it.
  init?(number: Int) {
    guard Self.range.contains(number) else { return nil }
    self.number = number
  }

  /// The local calendar day of a moment; `nil` if a payload cannot express it.
  init?(of moment: Date, in zone: TimeZone) {
    let seconds = moment.timeIntervalSince1970
    guard seconds > -1e6, seconds < 1e12 else { return nil }
    // Adding the offset of the moment turns a local day into a UTC day, whatever the clocks of the zone do.
    let local = seconds + Double(zone.secondsFromGMT(for: moment))
    self.init(number: Int((local / 86_400).rounded(.down)))
  }

  static func < (first: Self, second: Self) -> Bool { first.number < second.number }

  /// The start of the day and of the next one, as a payload writes them.
  var window: (begin: PayloadTime?, end: PayloadTime?) {
    (Self.midnight(number), Self.midnight(number + 1))
  }

  /// The day in written form: `2022-11-14`.
  var text: String { window.begin?.calendarDay ?? String(number) }

  /// Parses a day in that form.
  init?(_ text: String) {
    guard let begin = PayloadTime(text), begin.calendarDay == text, let moment = begin.date(in: .gmt) else {
      return nil
    }
    self.init(of: moment, in: .gmt)
  }

  private static func midnight(_ number: Int) -> PayloadTime? {
    PayloadTime(local: Date(timeIntervalSince1970: Double(number) * 86_400), in: .gmt)
  }
}

extension CalendarDay: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let day = CalendarDay(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no day")
    }
    self = day
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
