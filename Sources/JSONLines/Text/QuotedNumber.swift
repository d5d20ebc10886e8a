import Codecs

/// Numbers and durations in texts, such as `"0.019"`, `"12ms"` and Go's `"1m30s"`.
///
/// Durations are in milliseconds.
enum QuotedNumber {
  /// Maximum length of such a text.
  private static let longest = 32

  /// Appends the number; `false` if the text is none.
  ///
  /// - Parameter text: Contents of the quotes, without escapes.
  static func append(_ text: UnsafeRawBufferPointer, to json: inout [UInt8]) -> Bool {
    guard mayBegin(text), var lexer = LineLexer(text), text.count <= longest else { return false }
    if lexer.numberEnd(0) == text.count {
      json.append(contentsOf: text)
      return true
    }
    guard let duration = duration(text), duration.isFinite else { return false }
    Decimals.append(duration, to: &json)
    return true
  }

  /// True if a text begins like a number.
  @inline(__always)
  static func mayBegin(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first else { return false }
    return first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-")
  }

  /// Milliseconds of each unit.
  private static let units: [String: Double] = {
    let names: KeyValuePairs = [
      "ns nanos nanosecond nanoseconds": 1e-6,
      "us \u{B5}s \u{3BC}s micros microsecond microseconds": 1e-3,
      "ms msec millis millisecond milliseconds": 1, "s sec secs second seconds": 1e3,
      "m min mins minute minutes": 6e4, "h hr hrs hour hours": 36e5, "d day days": 864e5,
    ]
    return Dictionary(
      uniqueKeysWithValues: names.flatMap { names, size in
        names.split(separator: " ").map { (String($0), size) }
      })
  }()

  /// A duration in milliseconds: numbers with units, which become smaller; a space may stand between any two of them.
  static func duration(_ text: UnsafeRawBufferPointer) -> Double? {
    let isNegative = text.first == UInt8(ascii: "-")
    var position = isNegative ? 1 : 0
    var (sum, largest) = (0.0, Double.infinity)
    while position < text.count {
      if largest.isFinite, text[position] == 0x20 { position += 1 }
      let rest = UnsafeRawBufferPointer(rebasing: text[position...])
      guard var lexer = LineLexer(rest), rest[0] != UInt8(ascii: "-"), let end = lexer.numberEnd(0) else {
        return nil
      }
      let start = end < rest.count && rest[end] == 0x20 ? end + 1 : end
      let name = rest[start...].prefix { $0 >= 0x80 || $0 &- UInt8(ascii: "a") < 26 }
      guard !name.isEmpty, let unit = units[String(decoding: name, as: UTF8.self)], unit < largest,
        let number = PlainNumber.double(UnsafeRawBufferPointer(rebasing: rest[..<end]))
      else { return nil }
      sum += number * unit
      largest = unit
      position += name.endIndex
    }
    return largest.isFinite ? (isNegative ? -sum : sum) : nil
  }

  // MARK: Members

  /// True for a text that begins like a number.
  @inline(__always)
  static func mayBeAmount(_ member: LineMember, _ line: UnsafeRawBufferPointer) -> Bool {
    member.kind == .text && !member.hasEscapes && mayBegin(member.value(in: line))
  }

  /// True if ``appendAmount(_:_:to:)`` would append something.
  @inline(__always)
  static func isAmount(_ member: LineMember, _ line: UnsafeRawBufferPointer) -> Bool {
    var number: [UInt8] = []
    return mayBeAmount(member, line) && appendAmount(member, line, to: &number)
  }

  /// Appends a duration with a unit unless the name is that of a label, and a number whose name is that of an amount.
  ///
  /// - Returns: `false` if it is neither; nothing was appended then.
  static func appendAmount(
    _ member: LineMember, _ line: UnsafeRawBufferPointer, to json: inout [UInt8]
  ) -> Bool {
    let (text, start) = (member.value(in: line), json.count)
    guard append(text, to: &json) else { return false }
    let words = MemberWords(member.key(in: line))
    let isNumber = text.elementsEqual(json[start...])
    if isNumber ? words.isAmount && !(words.isTime && isMoment(text)) : !words.isLabel { return true }
    json.removeLast(json.count - start)
    return false
  }

  /// True for a number of seconds or their fractions since 1970.
  private static func isMoment(_ digits: UnsafeRawBufferPointer) -> Bool {
    PlainNumber.double(digits).flatMap { MomentText.seconds(since1970: $0, .automatic) }
      .map(MomentText.plausible.contains) ?? false
  }
}
