import Codecs
import Platform

/// A time in one of the many notations of loggers, servers and languages, read in a single pass.
///
/// The slower reader behind ``MomentText``, for times that do not begin like `2026-11-26T08:51:35`. Dates with digits
/// alone begin with the year: `3/4/2026` is ambiguous.
struct WrittenMoment {
  /// Offset from UTC as written, in seconds; `nil` if there is none.
  private(set) var offset: Int?
  /// Days since 1970.
  private var day = 0
  private var second = 0
  private var fraction = 0.0
  /// Month and day while the year is unknown.
  private var yearless: (month: Int, day: Int)?
  private var cursor: TextCursor
  private let local: ZoneOffsets?

  /// Seconds from 1970 to the time that clocks of its zone showed.
  var shown: Double { Double(day * 86_400 + second) + fraction }

  /// - Parameters:
  ///   - local: The zone of times without one; its own names are known too.
  ///   - now: Asked only if a date has no year; the year is then that of the last such date.
  init?(_ text: UnsafeRawBufferPointer, local: ZoneOffsets?, now: () -> Timestamp) {
    (cursor, self.local) = (TextCursor(text), local)
    guard text.count <= 80, readDate(), readClock(), readRest() else { return nil }
    if let date = yearless {
      guard let day = Self.latest(date.month, date.day, now()) else { return nil }
      self.day = day
    }
  }

  /// True for a date in digits whose year is not first, such as `11/26/2026` and `26.11.2026 08:51:35`.
  static func isAmbiguous(_ text: UnsafeRawBufferPointer) -> Bool {
    var cursor = TextCursor(text)
    for _ in 0..<2 {
      guard cursor.number(1...2) != nil, "/.-\\".utf8.contains(cursor.next) else { return false }
      cursor.skipAll("/.-\\")
    }
    return cursor.number(4...4) != nil || cursor.number(2...2) != nil
  }

  // MARK: The date

  private mutating func readDate() -> Bool {
    cursor.skipAll(" [")
    if cursor.isAtLetter {
      let word = cursor.word()
      if let month = CalendarName.month(word) { return readDay(of: month) }
      guard CalendarName.isDay(word) else { return false }
      cursor.skipAll("., ")
    }
    if cursor.isAtLetter { return CalendarName.month(cursor.word()).map { readDay(of: $0) } ?? false }
    switch cursor.digitCount {
    case 1, 2: return readDayFirst()
    case 4: return readYearFirst()
    case 8: return readCompact()
    case 14, 17: return readCompact()
    default: return false
    }
  }

  /// `26/Nov/2026`, `26-Nov-26`, `26 Nov 2026`.
  private mutating func readDayFirst() -> Bool {
    guard let day = cursor.number(1...2) else { return false }
    cursor.skipAll(" -/.")
    guard let month = CalendarName.month(cursor.word()) else { return false }
    // `26 Nov 08:51:35` goes on with the hour.
    if cursor.next == UInt8(ascii: " ") {
      cursor.skipSpaces()
      var ahead = cursor
      if ahead.number(1...2) != nil, ahead.next == UInt8(ascii: ":") {
        yearless = (month, day)
        return (1...31).contains(day)
      }
    }
    cursor.skipAll(" -/.,")
    guard let year = readYear() else { return false }
    return set(year, month, day)
  }

  private mutating func readYear() -> Int? {
    if let year = cursor.number(4...4) { return year }
    // As POSIX reads two digits.
    return cursor.number(2...2).map { $0 < 69 ? 2000 + $0 : 1900 + $0 }
  }

  /// `Nov 26 2026`, `Nov 26, 2026`, and `Nov 26`, whose year may follow the time.
  private mutating func readDay(of month: Int) -> Bool {
    cursor.skipAll(" .")
    guard let day = cursor.number(1...2), (1...31).contains(day) else { return false }
    cursor.skipAll(" ,")
    if let year = cursor.number(4...4) { return set(year, month, day) }
    yearless = (month, day)
    return true
  }

  /// `2026-11-26`, `2026/11/26`, `2026-Nov-26`, `2026-W48-4`, `2026-330`.
  private mutating func readYearFirst() -> Bool {
    guard let year = cursor.number(4...4) else { return false }
    if cursor.next == UInt8(ascii: "W") { return readWeek(of: year) }
    let separator = cursor.next
    guard "-/. ".utf8.contains(separator), cursor.skip(separator) else { return false }
    if cursor.next == UInt8(ascii: "W") { return readWeek(of: year) }
    if separator == UInt8(ascii: "-"), let ordinal = cursor.number(3...3) {
      guard (1...366).contains(ordinal), let day = CivilDate(year: year, month: 1, day: 1).number else {
        return false
      }
      self.day = day + ordinal - 1
      return CivilDate(day: self.day).year == year
    }
    let month = cursor.isAtLetter ? CalendarName.month(cursor.word()) : cursor.number(1...2)
    guard let month, cursor.skip(separator), let day = cursor.number(1...2) else { return false }
    return set(year, month, day)
  }

  /// `W48-4` or `W484`; week 1 contains January 4, and weeks begin on Monday.
  private mutating func readWeek(of year: Int) -> Bool {
    guard cursor.skip(UInt8(ascii: "W")), let week = cursor.digits(2), (1...53).contains(week) else {
      return false
    }
    _ = cursor.skip(UInt8(ascii: "-"))
    guard let weekday = cursor.digits(1), (1...7).contains(weekday),
      let fourth = CivilDate(year: year, month: 1, day: 4).number
    else { return false }
    // 1970 began on a Thursday.
    let monday = fourth - ((fourth + 3) % 7 + 7) % 7
    day = monday + (week - 1) * 7 + weekday - 1
    return true
  }

  /// `20261126`, and with the time `20261126085135` and `20261126085135894`.
  private mutating func readCompact() -> Bool {
    guard let year = cursor.digits(4), let month = cursor.digits(2), let day = cursor.digits(2) else {
      return false
    }
    return set(year, month, day)
  }

  private mutating func set(_ year: Int, _ month: Int, _ day: Int) -> Bool {
    guard let number = CivilDate(year: year, month: month, day: day).number else { return false }
    self.day = number
    yearless = nil
    return true
  }

  /// The last such day up to the day after tomorrow: clocks differ, and zones by more than a day.
  private static func latest(_ month: Int, _ day: Int, _ now: Timestamp) -> Int? {
    guard now.seconds.magnitude < 1e11 else { return nil }
    let limit = Int((now.unixSeconds / 86_400).rounded(.down)) + 2
    let year = CivilDate(day: limit).year
    // Leap days may be eight years apart.
    return (0...8).lazy.compactMap { CivilDate(year: year - $0, month: month, day: day).number }
      .first { $0 <= limit }
  }

  // MARK: The time of day

  /// Reads the time of day; a full date without one is the start of its day.
  private mutating func readClock() -> Bool {
    cursor.skipAll(" ,@_:")
    if cursor.next | 0x20 == UInt8(ascii: "t") { cursor.skipAll("Tt") }
    if cursor.isAtEnd { return yearless == nil }
    guard cursor.isAtDigit, let hour = cursor.digits(min(2, cursor.digitCount)) else { return false }
    let isBasic = cursor.isAtDigit
    guard isBasic || cursor.skip(UInt8(ascii: ":")), let minute = cursor.digits(2) else { return false }
    var whole = 0
    if isBasic ? cursor.isAtDigit : cursor.skip(UInt8(ascii: ":")) {
      guard let digits = cursor.digits(2) else { return false }
      whole = digits
      guard readFraction(isBasic: isBasic) else { return false }
    }
    guard !cursor.isAtDigit, let hour = readHalf(of: hour), minute < 60, whole <= 60 else { return false }
    second = hour * 3600 + minute * 60 + whole
    return true
  }

  /// The fraction of the second after a point, a comma, or as NLog writes it a colon.
  private mutating func readFraction(isBasic: Bool) -> Bool {
    let hasColon = !isBasic && cursor.next == UInt8(ascii: ":")
    guard
      isBasic && cursor.isAtDigit || cursor.skip(UInt8(ascii: ".")) || cursor.skip(UInt8(ascii: ","))
        || hasColon && cursor.skip(UInt8(ascii: ":"))
    else { return true }
    guard !hasColon || cursor.digitCount >= 3, let fraction = cursor.fraction() else { return false }
    self.fraction = fraction
    return true
  }

  /// The hour, with the AM or PM that may follow the time; `nil` if it does not exist.
  private mutating func readHalf(of hour: Int) -> Int? {
    var ahead = cursor
    ahead.skipSpaces()
    let word = ahead.word()
    guard word.count == 2, let last = word.last, last | 0x20 == UInt8(ascii: "m"), let first = word.first,
      "ap".utf8.contains(first | 0x20)
    else { return hour < 24 ? hour : nil }
    cursor = ahead
    guard (1...12).contains(hour) else { return nil }
    return hour % 12 + (first | 0x20 == UInt8(ascii: "p") ? 12 : 0)
  }

  // MARK: What follows

  /// Reads the zone and what else may follow; `false` if something is left.
  private mutating func readRest() -> Bool {
    var rest = WrittenRest(local: local)
    rest.mayHaveYear = yearless != nil
    guard rest.read(&cursor) else { return false }
    offset = rest.offset
    guard let (month, day) = yearless, let year = rest.year else { return true }
    return set(year, month, day)
  }
}

/// The parts that may follow a time of day: a zone, its name, a year, a comment, the number of a process.
struct WrittenRest {
  /// The zone of times without one.
  let local: ZoneOffsets?
  /// True if a year may follow the time, as in `Thu Nov 26 08:51:35 2026`.
  var mayHaveYear = false
  /// Offset from UTC in seconds; `nil` if there is none.
  private(set) var offset: Int?
  private(set) var year: Int?

  init(local: ZoneOffsets?) {
    self.local = local
  }

  /// Reads to the end of the text; `false` if something is left.
  mutating func read(_ cursor: inout TextCursor) -> Bool {
    while true {
      cursor.skipAll(" ]")
      guard !cursor.isAtEnd else { return true }
      guard readPart(&cursor) else { return false }
    }
  }

  private mutating func readPart(_ cursor: inout TextCursor) -> Bool {
    switch cursor.next {
    case UInt8(ascii: "("): return cursor.skip(past: UInt8(ascii: ")"))
    // The process in the lines of Ruby's logger.
    case UInt8(ascii: "#"): return cursor.skip(UInt8(ascii: "#")) && cursor.number(1...18) != nil
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard mayHaveYear, year == nil, let found = cursor.number(4...4) else { return false }
      year = found
      return true
    default:
      guard let zone = WrittenZone(&cursor, isKnown: offset != nil, local: local) else { return false }
      offset = offset ?? zone.offset
      return true
    }
  }
}
