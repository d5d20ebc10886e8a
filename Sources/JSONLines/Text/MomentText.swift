import Codecs
import Platform

/// Converts log times to seconds since 2001: numbers since 1970, ISO 8601, and the notations of ``WrittenMoment``.
///
/// Caches the last minute, because the next time is usually within it. The result depends only on the text and the zone,
/// except for dates without a year.
struct MomentText: Sendable {
  /// Seconds from 1970 to 2001.
  static let epoch = 978_307_200.0
  /// 2001 to 2100: a number outside this range is probably not a time.
  static let plausible = 0.0..<3_124_224_000

  /// The zone of times without one; `nil` for UTC.
  var zone: ZoneOffsets? {
    didSet { minute = (0, 0) }
  }
  /// The wall clock, for dates without a year.
  var now: @Sendable () -> Timestamp = { .now() }

  /// True once a time named its zone, or was a number; true once one named none.
  private var hasZoned = false
  private var hasZoneless = false

  /// The first sixteen characters of the last text, down to the minute.
  private var minute: (UInt64, UInt64) = (0, 0)
  /// Seconds from 2001 to that minute.
  private var minuteSeconds = 0
  /// The zone's offset from UTC in that minute, in seconds.
  private var minuteOffset = 0

  /// A number since 1970; without a form, its magnitude decides the unit.
  ///
  /// Each unit covers times up to the year 9999, which ends at 253402300799; milliseconds start in January 1978.
  static func seconds(since1970 number: Double, _ form: LineMapping.TimeForm) -> Double? {
    guard number.isFinite else { return nil }
    let divisor: Double
    switch form {
    case .seconds: divisor = 1
    case .milliseconds: divisor = 1e3
    case .microseconds: divisor = 1e6
    case .nanoseconds: divisor = 1e9
    case .automatic, .text:
      let size = abs(number)
      let end = Double(Self.lastSecond + 1)
      divisor = size < end ? 1 : size < end * 1e3 ? 1e3 : size < end * 1e6 ? 1e6 : 1e9
    }
    return number / divisor - epoch
  }

  /// Whole nanoseconds, microseconds or milliseconds since 1970, which would lose precision as a double.
  static func seconds(since1970 whole: Int, _ form: LineMapping.TimeForm) -> Double? {
    let unit: Int
    switch form {
    case .seconds: unit = 1
    case .milliseconds: unit = 1_000
    case .microseconds: unit = 1_000_000
    case .nanoseconds: unit = 1_000_000_000
    case .automatic, .text:
      let size = whole.magnitude
      let end = UInt(Self.lastSecond + 1)
      unit = size < end ? 1 : size < end * 1_000 ? 1_000 : size < end * 1_000_000 ? 1_000_000 : 1_000_000_000
    }
    return Double(whole / unit &- 978_307_200) + Double(whole % unit) / Double(unit)
  }

  /// The last second of the year 9999, since 1970: programs write it for "never".
  private static let lastSecond = 253_402_300_799

  /// True if the digits of a number may be a calendar's, as in 20261126085135 with or without milliseconds.
  ///
  /// As milliseconds or microseconds since 1970 they would be in the 27th century.
  static func isCalendar(_ whole: Int) -> Bool {
    (19_700_101_000_000...21_001_231_235_959).contains(whole)
      || (19_700_101_000_000_000...21_001_231_235_959_999).contains(whole)
  }

  /// Reads a text in any known notation, in the zone if it names none.
  mutating func seconds(_ text: UnsafeRawBufferPointer) -> Double? {
    if let common = isoSeconds(text) { return common }
    guard let written = WrittenMoment(text, local: zone, now: now) else { return nil }
    noteZone(isNamed: written.offset != nil)
    if let offset = written.offset { return written.shown - Double(offset) - Self.epoch }
    let shown = Timestamp(written.shown - Self.epoch)
    return (zone?.moment(showing: shown) ?? shown).seconds
  }

  /// Reads a text in any known notation, or with a number since 1970.
  mutating func seconds(text: UnsafeRawBufferPointer, _ form: LineMapping.TimeForm) -> Double? {
    if form == .automatic || form == .text, let time = seconds(text) { return time }
    var tokenizer = JSONTokenizer(text)
    guard form != .text, tokenizer.number() != nil, tokenizer.isAtEnd else { return nil }
    return seconds(digits: text, form)
  }

  /// Reads the digits of a number since 1970, or of a calendar.
  mutating func seconds(digits: UnsafeRawBufferPointer, _ form: LineMapping.TimeForm) -> Double? {
    let whole = Decimals.wholeNumber(digits)
    if form == .automatic, let whole, Self.isCalendar(whole), let time = seconds(digits) { return time }
    noteZone(isNamed: true)
    if let whole { return Self.seconds(since1970: whole, form) }
    return PlainNumber.double(digits).flatMap { Self.seconds(since1970: $0, form) }
  }

  /// Reads a text such as `2026-11-23T17:15:02.123Z`, `2026-11-23 17:15:02,123` or `2026-11-23T18:15:02+0100`.
  private mutating func isoSeconds(_ text: UnsafeRawBufferPointer) -> Double? {
    guard text.count >= 19, text.count <= 80, let base = text.baseAddress else { return nil }
    let head = (
      base.loadUnaligned(as: UInt64.self), base.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    )
    if head != minute || minute == (0, 0) {
      guard let found = Self.minutes(text) else { return nil }
      (minute, minuteSeconds) = (head, found)
      let shown = Timestamp(Double(found))
      minuteOffset = zone.map { Int((shown - $0.moment(showing: shown)).rounded()) } ?? 0
    }
    guard text[16] == UInt8(ascii: ":"), let second = Self.digits(text, 17, 2), second <= 60 else {
      return nil
    }
    var position = 19
    var fraction = 0.0
    if position < text.count, text[position] == UInt8(ascii: ".") || text[position] == UInt8(ascii: ",") {
      guard let (value, end) = Self.fraction(text, from: position + 1) else { return nil }
      (fraction, position) = (value, end)
    }
    guard position < text.count else {
      hasZoneless = true
      return Double(minuteSeconds &+ second &- minuteOffset) + fraction
    }
    guard let offset = offset(text, from: position) else { return nil }
    return Double(minuteSeconds &+ second &- offset) + fraction
  }

  /// Records a time that needs no zone or names one, or that names none.
  mutating func noteZone(isNamed: Bool) {
    if isNamed { hasZoned = true } else { hasZoneless = true }
  }

  /// The offset from UTC at which times are read, in seconds; `nil` unless none of them has named a zone.
  func zoneOffset(at now: Timestamp) -> Int? {
    guard hasZoneless, !hasZoned else { return nil }
    return zone?.offset(at: now) ?? 0
  }

  /// Seconds from 2001 to the minute at the start of a text.
  private static func minutes(_ text: UnsafeRawBufferPointer) -> Int? {
    guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[13] == UInt8(ascii: ":"),
      text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
      let year = digits(text, 0, 4), let month = digits(text, 5, 2), let day = digits(text, 8, 2),
      let hour = digits(text, 11, 2), let minute = digits(text, 14, 2), hour < 24, minute < 60,
      let number = CivilDate(year: year, month: month, day: day).number
    else { return nil }
    return number * 86_400 + hour * 3600 + minute * 60 - 978_307_200
  }

  private static func digits(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int? {
    var value = 0
    for index in start..<start &+ count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    return value
  }

  private static let tens: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

  /// The fraction after the point; digits after the ninth are ignored.
  static func fraction(_ text: UnsafeRawBufferPointer, from start: Int) -> (Double, end: Int)? {
    var (value, position) = (0, start)
    while position < text.count, case let digit = text[position] &- UInt8(ascii: "0"), digit < 10 {
      if position &- start < 9 { value = value &* 10 &+ Int(digit) }
      position &+= 1
    }
    guard position > start else { return nil }
    return (Double(value) / tens[min(9, position &- start)], position)
  }

  /// Offset from UTC in seconds: `Z`, `+01:00`, `+0100`, `+01`, or what else may follow a time.
  private mutating func offset(_ text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    if let usual = Self.zone(text, from: start) {
      hasZoned = true
      return usual
    }
    var cursor = TextCursor(text, at: start)
    var rest = WrittenRest(local: zone)
    guard rest.read(&cursor) else { return nil }
    noteZone(isNamed: rest.offset != nil)
    return rest.offset ?? minuteOffset
  }

  private static func zone(_ text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let sign = text[start]
    if sign | 0x20 == UInt8(ascii: "z") { return start + 1 == text.count ? 0 : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let rest = text.count - start - 1
    guard rest >= 2, let hours = digits(text, start + 1, 2), hours < 24 else { return nil }
    var minutes = 0
    switch rest {
    case 2: break
    case 4: minutes = digits(text, start + 3, 2) ?? 60
    case 5: minutes = text[start + 3] == UInt8(ascii: ":") ? digits(text, start + 4, 2) ?? 60 : 60
    default: return nil
    }
    guard minutes < 60 else { return nil }
    let offset = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -offset : offset
  }
}
