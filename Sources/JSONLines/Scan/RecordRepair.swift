import Codecs

/// Makes valid JSON of a record in which single values are not, so that they do not cost the others.
///
/// NaN, infinity and numbers out of range become `null`, bytes that are not valid UTF-8 and halves of surrogate pairs
/// become U+FFFD, control characters in texts are escaped, and commas behind the last member are dropped. Any other
/// fault remains.
struct RecordRepair {
  private(set) var bytes: [UInt8] = []
  /// The faults found, each once.
  private(set) var flaws: [RejectionReason] = []

  private let line: UnsafeRawBufferPointer
  private var position = 0

  /// `nil` if there is nothing to repair.
  init?(_ line: UnsafeRawBufferPointer) {
    self.line = line
    bytes.reserveCapacity(line.count &+ 16)
    while position < line.count { step() }
    guard !flaws.isEmpty else { return nil }
  }

  private mutating func note(_ flaw: RejectionReason) {
    if !flaws.contains(flaw) { flaws.append(flaw) }
  }

  private mutating func copy(_ count: Int) {
    let end = min(line.count, position &+ count)
    bytes.append(contentsOf: line[position..<end])
    position = end
  }

  /// Reads a text, a word, or a single character.
  private mutating func step() {
    switch line[position] {
    case UInt8(ascii: "\""): text()
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      word()
    case UInt8(ascii: ","): comma()
    default: copy(1)
    }
  }

  // MARK: Numbers

  private static let notNumbers: Set<String> = ["nan", "inf", "infinity"]

  private mutating func word() {
    let rest = line[position...]
    let end = rest.firstIndex { !Self.isOfWord($0) } ?? line.count
    let word = UnsafeRawBufferPointer(
      rebasing: line[position..<end].drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") })
    // The longest of the words has eight letters.
    if word.count <= 8, Self.notNumbers.contains(String(decoding: word, as: UTF8.self).lowercased()) {
      replace(upTo: end, .notANumber)
    } else if LineLexer.isNumber(word), PlainNumber.double(word)?.isInfinite == true {
      replace(upTo: end, .numberOutOfRange)
    } else {
      copy(end &- position)
    }
  }

  private mutating func replace(upTo end: Int, _ flaw: RejectionReason) {
    note(flaw)
    JSONWriter.append("null", to: &bytes)
    position = end
  }

  /// Drops the comma behind a last member or element.
  private mutating func comma() {
    let next = line[(position &+ 1)...].first { $0 > 0x20 }
    guard next == UInt8(ascii: "}") || next == UInt8(ascii: "]") else { return copy(1) }
    note(.trailingComma)
    position &+= 1
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  // MARK: Texts

  private mutating func text() {
    copy(1)
    while position < line.count {
      let byte = line[position]
      switch byte {
      case UInt8(ascii: "\""): return copy(1)
      case UInt8(ascii: "\\"): escape()
      case ..<0x20: control(byte)
      case 0x80...: wide()
      default: copy(1)
      }
    }
  }

  private mutating func control(_ byte: UInt8) {
    note(.controlCharacter)
    position &+= 1
    guard byte != 0x09 else { return JSONWriter.append("\\t", to: &bytes) }
    JSONWriter.append("\\u00", to: &bytes)
    let digits = String(byte, radix: 16)
    bytes.append(contentsOf: (digits.utf8.count < 2 ? "0" + digits : digits).utf8)
  }

  /// Reads the bytes outside ASCII that follow each other.
  private mutating func wide() {
    let end = line[position...].firstIndex { $0 < 0x80 } ?? line.count
    let part = UnsafeRawBufferPointer(rebasing: line[position..<end])
    if String(validating: part, as: UTF8.self) == nil { note(.invalidBytes) }
    bytes.append(contentsOf: String(decoding: part, as: UTF8.self).utf8)
    position = end
  }

  private mutating func escape() {
    guard let unit = unit(at: position) else { return copy(2) }
    if UTF16.isLeadSurrogate(unit), let next = self.unit(at: position &+ 6), UTF16.isTrailSurrogate(next) {
      return copy(12)
    }
    guard UTF16.isSurrogate(unit) else { return copy(6) }
    note(.halfPair)
    JSONWriter.append("\\ufffd", to: &bytes)
    position &+= 6
  }

  /// The UTF-16 unit of the escape `\uXXXX` at a position.
  private func unit(at start: Int) -> UInt16? {
    guard start &+ 6 <= line.count, line[start] == UInt8(ascii: "\\"), line[start &+ 1] == UInt8(ascii: "u")
    else {
      return nil
    }
    return UInt16(String(decoding: line[start &+ 2..<start &+ 6], as: UTF8.self), radix: 16)
  }
}
