import Codecs
import Platform

/// Sample times in the notation of other programs.
enum ExportTime {
  private static let epoch = Int64(Timestamp.unixEpochDistance)
  /// The years 1 to 9999 in seconds as in ``Timestamp``: the range of ISO 8601 without further agreement.
  private static let years = -63_113_904_000.0..<252_423_993_600.0

  /// Appends `2026-11-21T14:32:07.123456Z`; appends nothing outside the years 1 to 9999.
  static func appendISO(_ moment: Timestamp, to output: inout [UInt8]) {
    let time = moment.seconds
    guard years.contains(time) else { return }
    let whole = time.rounded(.down)
    let micros = Int64(((time - whole) * 1e6).rounded())
    // Rounding may have carried into the next second.
    let seconds = Int64(whole) + epoch + micros / 1_000_000
    let day = Int64((Double(seconds) / 86_400).rounded(.down))
    let second = seconds - day * 86_400
    let date = CivilDate(day: Int(day))
    Decimals.append(last: 4, of: date.year, to: &output)
    for (part, mark) in [
      (date.month, "-"), (date.day, "-"), (Int(second) / 3600, "T"), (Int(second) / 60 % 60, ":"),
      (Int(second) % 60, ":"),
    ] as [(Int, Unicode.Scalar)] {
      output.append(UInt8(ascii: mark))
      Decimals.append(last: 2, of: part, to: &output)
    }
    output.append(UInt8(ascii: "."))
    Decimals.append(last: 6, of: Int(micros % 1_000_000), to: &output)
    output.append(UInt8(ascii: "Z"))
  }

  /// True if ``appendUnixSeconds(_:to:)`` can write a moment.
  static func hasUnixSeconds(_ moment: Timestamp) -> Bool { moment.seconds.magnitude <= 1e18 }

  /// Appends seconds since 1970, to the nanosecond: `1795271527.123456`; appends nothing for a time out of range.
  static func appendUnixSeconds(_ moment: Timestamp, to output: inout [UInt8]) {
    guard hasUnixSeconds(moment) else { return }
    let time = moment.seconds
    let whole = time.rounded(.down)
    var seconds = Int64(whole)
    var nanos = Int64(((time - whole) * 1e9).rounded())
    seconds += epoch + nanos / 1_000_000_000
    nanos %= 1_000_000_000
    if seconds < 0, nanos > 0 {
      // -1.25 is -2 + 0.75.
      seconds += 1
      nanos = 1_000_000_000 - nanos
      if seconds == 0 { output.append(UInt8(ascii: "-")) }
    }
    output.append(contentsOf: "\(seconds)".utf8)
    guard nanos > 0 else { return }
    output.append(UInt8(ascii: "."))
    Decimals.append(last: 9, of: Int(nanos), to: &output)
    while output.last == UInt8(ascii: "0") { output.removeLast() }
  }

  /// Nanoseconds since 1970; `nil` outside the range of 64 bits, the years 1677 to 2262.
  static func unixNanoseconds(_ moment: Timestamp) -> Int64? {
    let time = moment.seconds
    let whole = time.rounded(.down)
    guard whole.magnitude < 1e11 else { return nil }
    let nanos = Int64(((time - whole) * 1e9).rounded())
    let (product, isTooFar) = (Int64(whole) + epoch).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = product.addingReportingOverflow(nanos)
    return isTooFar || isBeyond ? nil : sum
  }
}

/// Text in the form other programs read.
enum ExportText {
  /// The bytes as well-formed UTF-8; each invalid part becomes U+FFFD.
  static func utf8(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
    return ArraySlice(String(decoding: bytes, as: UTF8.self).utf8)
  }
}
