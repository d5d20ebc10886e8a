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
    guard mayBegin(text), let lexer = LineLexer(text), text.count <= longest else { return false }
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

  /// Milliseconds of each unit, the longer names first.
  private static let units: [(name: [UInt8], milliseconds: Double)] = [
    ("ns", 1e-6), ("us", 1e-3), ("\u{B5}s", 1e-3), ("\u{3BC}s", 1e-3), ("ms", 1), ("s", 1e3), ("m", 6e4),
    ("h", 36e5),
  ].map { (Array($0.0.utf8), $0.1) }

  /// A duration in milliseconds: numbers with units, which become smaller.
  static func duration(_ text: UnsafeRawBufferPointer) -> Double? {
    let isNegative = text.first == UInt8(ascii: "-")
    var position = isNegative ? 1 : 0
    var (sum, largest) = (0.0, Double.infinity)
    while position < text.count {
      let rest = UnsafeRawBufferPointer(rebasing: text[position...])
      guard rest[0] != UInt8(ascii: "-"), let end = LineLexer(rest)?.numberEnd(0),
        let number = PlainNumber.double(UnsafeRawBufferPointer(rebasing: rest[..<end]))
      else { return nil }
      var name = rest[end...]
      // A space may stand before the only unit.
      if name.first == 0x20, position == 0 { name = name.dropFirst() }
      guard let unit = units.first(where: { name.starts(with: $0.name) }), unit.milliseconds < largest else {
        return nil
      }
      sum += number * unit.milliseconds
      largest = unit.milliseconds
      position += name.startIndex + unit.name.count
    }
    return largest.isFinite ? (isNegative ? -sum : sum) : nil
  }

  // MARK: Members

  /// True for a duration with a unit, and for a number whose name is that of an amount: other digits may be a label.
  @inline(__always)
  static func isAmount(_ member: LineMember, _ line: UnsafeRawBufferPointer) -> Bool {
    guard member.kind == .text, !member.hasEscapes else { return false }
    let text = member.value(in: line)
    return mayBegin(text) && isAmount(text, member.key(in: line))
  }

  @inline(never)
  private static func isAmount(_ text: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer) -> Bool {
    var number: [UInt8] = []
    guard append(text, to: &number) else { return false }
    return !text.elementsEqual(number) || isAmount(name)
  }

  /// Appends a member with its number instead of its text.
  static func append(_ member: LineMember, _ line: UnsafeRawBufferPointer, to json: inout [UInt8]) {
    let name = Int(member.key.lowerBound) - 1..<Int(member.value.lowerBound) - 1
    json.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[name]))
    if !append(member.value(in: line), to: &json) { JSONWriter.append("null", to: &json) }
  }

  // MARK: Names

  /// Words of names whose texts are amounts rather than labels.
  private static let amounts: Set<String> = [
    "time", "duration", "latency", "elapsed", "took", "bytes", "size", "length", "count", "total", "ms",
    "msec",
    "sec", "secs", "seconds", "millis", "milliseconds", "micros", "nanos", "ns", "us", "rate", "ratio",
    "percent",
    "load", "cpu", "memory", "mem", "rss", "wait", "delay", "lag", "depth", "amount", "price", "cost",
  ]

  /// True if a name is that of an amount: its last word says so, as in `request_time` and `responseSize`.
  static func isAmount(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.count <= 64, name.allSatisfy({ $0 < 0x80 }) else { return false }
    var words = [""]
    for byte in name {
      let letter = Unicode.Scalar(byte)
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): words.append(String(letter).lowercased())
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        words[words.count - 1].unicodeScalars.append(letter)
      default: words.append("")
      }
    }
    words.removeAll { $0.isEmpty }
    guard let last = words.last else { return false }
    // As in `bytes_sent` and `time_taken`.
    let isParticiple = ["sent", "taken", "received", "used", "in", "out"].contains(last)
    return amounts.contains(last) || (isParticiple && words.contains(where: amounts.contains))
  }
}
