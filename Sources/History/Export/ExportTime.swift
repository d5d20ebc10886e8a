import Platform

/// Times of samples as other programs write them.
enum ExportTime {
  /// Seconds from 1970 to 2001.
  private static let epoch = Int64(Timestamp.unixEpochDistance)
  /// The seconds since 2001 of the years 1 to 9999, which ISO 8601 has without further agreement.
  private static let years = -63_113_904_000.0..<252_423_993_600.0

  /// Appends `2026-11-21T14:32:07.123456Z`; nothing beyond the years 1 to 9999.
  static func appendISO(_ time: Double, to output: inout [UInt8]) {
    guard years.contains(time) else { return }
    let whole = time.rounded(.down)
    let micros = Int64(((time - whole) * 1e6).rounded())
    // Rounding may have given the whole next second.
    let seconds = Int64(whole) + epoch + micros / 1_000_000
    let day = Int64((Double(seconds) / 86_400).rounded(.down))
    let second = seconds - day * 86_400
    let date = civil(day)
    appendDigits(date.year, 4, to: &output)
    for (part, mark) in [
      (date.month, "-"), (date.day, "-"), (second / 3600, "T"), (second / 60 % 60, ":"), (second % 60, ":"),
    ] as [(Int64, Unicode.Scalar)] {
      output.append(UInt8(ascii: mark))
      appendDigits(part, 2, to: &output)
    }
    output.append(UInt8(ascii: "."))
    appendDigits(micros % 1_000_000, 6, to: &output)
    output.append(UInt8(ascii: "Z"))
  }

  /// The times that ``appendUnixSeconds(_:to:)`` can write.
  static let unixSeconds = -1e18...1e18

  /// Appends seconds since 1970, to the nanosecond: `1795271527.123456`; nothing for a time that is out of reach.
  static func appendUnixSeconds(_ time: Double, to output: inout [UInt8]) {
    guard unixSeconds.contains(time) else { return }
    let whole = time.rounded(.down)
    var seconds = Int64(whole)
    var nanos = Int64(((time - whole) * 1e9).rounded())
    seconds += epoch + nanos / 1_000_000_000
    nanos %= 1_000_000_000
    if seconds < 0, nanos > 0 {
      // -1.25 is -2 and 0.75.
      seconds += 1
      nanos = 1_000_000_000 - nanos
      if seconds == 0 { output.append(UInt8(ascii: "-")) }
    }
    output.append(contentsOf: "\(seconds)".utf8)
    guard nanos > 0 else { return }
    output.append(UInt8(ascii: "."))
    appendDigits(nanos, 9, to: &output)
    while output.last == UInt8(ascii: "0") { output.removeLast() }
  }

  /// Nanoseconds since 1970; `nil` where 64 bits do not reach, beyond the years 1677 and 2262.
  static func unixNanoseconds(_ time: Double) -> Int64? {
    let whole = time.rounded(.down)
    guard whole.magnitude < 1e11 else { return nil }
    let nanos = Int64(((time - whole) * 1e9).rounded())
    let (product, isTooFar) = (Int64(whole) + epoch).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = product.addingReportingOverflow(nanos)
    return isTooFar || isBeyond ? nil : sum
  }

  private static let powers: [Int64] = [1, 10, 100, 1000, 10000, 100_000, 1_000_000, 10_000_000, 100_000_000]

  /// Appends so many digits of a number from 0 on that has no more, 9 at most.
  private static func appendDigits(_ number: Int64, _ count: Int, to output: inout [UInt8]) {
    var divisor = powers[count - 1]
    for _ in 0..<count {
      output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }

  /// The date of a day, counted from 1970, in the calendar that reaches back before it was made.
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // From 1 March of year 0 on, where leap days are the last days of their years.
    let days = day + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let inEra = days - era * 146_097
    let yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * inYear + 2) / 153
    return (
      yearOfEra + era * 400 + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9,
      inYear - (153 * month + 2) / 5 + 1
    )
  }
}

/// Numbers as other programs read them.
enum ExportNumber {
  /// Appends the shortest decimal that reads back as the same number; whole numbers without a point.
  static func append(_ number: Double, to output: inout [UInt8]) {
    let text = "\(number)".utf8
    output.append(contentsOf: text.suffix(2).elementsEqual(".0".utf8) ? text.dropLast(2) : text[...])
  }
}

/// Texts as other programs read them.
enum ExportText {
  /// The bytes as well-formed UTF-8; each wrong part becomes U+FFFD.
  static func utf8(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
    return ArraySlice(String(decoding: bytes, as: UTF8.self).utf8)
  }
}
