import Codecs
package import Essentials

/// Moments as events have them: `2026-11-22T20:00:00.000Z`.
package enum EventTime {
  /// The range of a four-digit year, in milliseconds from 1970.
  private static let writable = -62_167_219_200_000...253_402_300_799_999

  /// Milliseconds from 1970, rounded, within the years 0 to 9999; a date that is no number is the epoch.
  package static func milliseconds(_ date: Date) -> Int {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard milliseconds > Double(writable.lowerBound) else {
      return milliseconds.isNaN ? 0 : writable.lowerBound
    }
    return milliseconds < Double(writable.upperBound) ? Int(milliseconds) : writable.upperBound
  }

  /// The text of a moment in universal time.
  package static func text(_ date: Date) -> String {
    text(milliseconds: milliseconds(date))
  }

  /// The text of a moment, in milliseconds from 1970; outside the years 0 to 9999 that of the nearest moment inside.
  package static func text(milliseconds: Int) -> String {
    let moment = min(max(milliseconds, writable.lowerBound), writable.upperBound)
    let day = (moment - (moment >= 0 ? 0 : 86_399_999)) / 86_400_000
    let date = CivilDate(day: day)
    let time = moment - day * 86_400_000
    return String(unsafeUninitializedCapacity: 24) { text in
      func put(_ number: Int, from start: Int, digits: Int, then separator: Unicode.Scalar) {
        var rest = number
        for index in (start..<start + digits).reversed() {
          text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
        }
        text[start + digits] = UInt8(ascii: separator)
      }
      put(date.year, from: 0, digits: 4, then: "-")
      put(date.month, from: 5, digits: 2, then: "-")
      put(date.day, from: 8, digits: 2, then: "T")
      put(time / 3_600_000, from: 11, digits: 2, then: ":")
      put(time / 60_000 % 60, from: 14, digits: 2, then: ":")
      put(time / 1000 % 60, from: 17, digits: 2, then: ".")
      put(time % 1000, from: 20, digits: 3, then: "Z")
      return 24
    }
  }

  /// The moment of an ISO-8601 text with a date, a time and a zone; `nil` for any other text.
  ///
  /// The fraction of a second may be missing or longer, and the zone `+01:00` or `+0100` as well as `Z`.
  package static func date(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { utf8 in
      var reader = DigitReader(rest: utf8[...])
      guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
        let day = CivilDate(year: year, month: month, day: reader.number(2) ?? 0).number,
        reader.take("T") || reader.take("t") || reader.take(" "),
        let hour = reader.number(2, upTo: 23), reader.take(":"), let minute = reader.number(2, upTo: 59),
        reader.take(":"), let second = reader.number(2, upTo: 60),
        let fraction = reader.fraction(), let ahead = reader.zone(), reader.rest.isEmpty
      else { return nil }
      let whole = day * 86_400 + hour * 3600 + minute * 60 + second - ahead
      return Date(timeIntervalSince1970: Double(whole) + fraction)
    }
  }
}

/// Takes digits and signs from the front of a text.
private struct DigitReader {
  var rest: Slice<UnsafeBufferPointer<UInt8>>

  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func digit() -> Int? {
    guard let byte = rest.first, case let digit = byte &- UInt8(ascii: "0"), digit < 10 else { return nil }
    rest.removeFirst()
    return Int(digit)
  }

  mutating func number(_ digits: Int, upTo limit: Int = .max) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number <= limit ? number : nil
  }

  /// `.123`, or nothing: 0.
  mutating func fraction() -> Double? {
    guard take(".") else { return 0 }
    guard let first = digit() else { return nil }
    var (fraction, scale) = (Double(first) / 10, 0.01)
    while let digit = digit() {
      fraction += Double(digit) * scale
      scale /= 10
    }
    return fraction
  }

  /// Seconds that the clocks of `Z`, `+01:00`, `+0100` or `+01` are ahead of universal time.
  mutating func zone() -> Int? {
    if take("Z") || take("z") { return 0 }
    let isBehind = take("-")
    guard isBehind || take("+"), let hours = number(2, upTo: 23) else { return nil }
    var minutes = 0
    if take(":") || !rest.isEmpty {
      guard let number = number(2, upTo: 59) else { return nil }
      minutes = number
    }
    return (isBehind ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
