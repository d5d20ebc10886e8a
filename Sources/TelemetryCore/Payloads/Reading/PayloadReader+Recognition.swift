import Codecs

extension PayloadReader {
  private static let keys: Set<[UInt8]> = Set(
    (Array(PayloadShape.sectionKeys) + PayloadShape.envelopes
      + ["appVersion", "timeStampBegin", "callStackTree", "callStacks", "intervalEntries", "stateEntries"]
      + DiagnosticKind.allCases.flatMap { [$0.rawValue, $0.reportKey] }).map { Array($0.utf8) })

  /// Maximum depth of texts in texts that are looked into.
  private static let textLimit = 4

  /// True if a text with this beginning may hold payloads: JSON with a key of a payload or of a known envelope, also in
  /// its texts and in Base64.
  ///
  /// - Parameter head: The first bytes, as many as available.
  package static func recognises(_ head: some Collection<UInt8>) -> Bool {
    recognises(Array(head.hasByteOrderMark ? head.dropFirst(3) : head[...]), texts: 0)
  }

  private static func recognises(_ head: [UInt8], texts: Int) -> Bool {
    guard texts <= textLimit else { return false }
    if PayloadSearch.mayBeBase64(head) {
      return PayloadSearch.json(inBase64: head).map { recognises($0, texts: texts + 1) } ?? false
    }
    var rest = head.drop { isBlank($0) }
    guard rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "[") || rest.first == quote else {
      return false
    }
    while let start = rest.firstIndex(of: quote) {
      let text = rest[(start + 1)...]
      let end = endOfText(text)
      let content = text[..<(end ?? text.endIndex)]
      rest = text[(end.map { $0 + 1 } ?? text.endIndex)...]
      let isKey = rest.first { !isBlank($0) } == UInt8(ascii: ":")
      if isKey ? keys.contains(Array(content)) : recognises(plain(content), texts: texts + 1) { return true }
    }
    return false
  }

  private static let quote = UInt8(ascii: "\"")

  /// Index of the quotation mark that closes a string.
  private static func endOfText(_ text: ArraySlice<UInt8>) -> Int? {
    var index = text.startIndex
    while index < text.endIndex {
      switch text[index] {
      case quote: return index
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return nil
  }

  /// A text without escapes, as far as keys need it; empty for one that cannot hold JSON.
  private static func plain(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard let first = text.first, [UInt8]("{[eW\"\\ ".utf8).contains(first) else { return [] }
    var plain: [UInt8] = []
    var isEscaped = false
    for byte in text {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        let isBreak = isEscaped && [UInt8]("nrt".utf8).contains(byte)
        plain.append(isBreak ? 0x20 : byte)
        isEscaped = false
      }
    }
    return plain
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
