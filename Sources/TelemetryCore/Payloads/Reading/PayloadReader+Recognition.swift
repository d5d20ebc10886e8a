import Codecs

extension PayloadReader {
  private static let keys: Set<[UInt8]> = Set(
    (Array(PayloadShape.sectionKeys) + PayloadShape.envelopes
      + ["appVersion", "timeStampBegin", "callStackTree", "callStacks", "intervalEntries", "stateEntries"]
      + DiagnosticKind.allCases.flatMap { [$0.rawValue, $0.reportKey] }).map { Array($0.utf8) })

  /// True if a text with this beginning may hold payloads: JSON with a key of a payload or of a known envelope.
  ///
  /// - Parameter head: The first bytes, as many as available.
  package static func recognises(_ head: some Collection<UInt8>) -> Bool {
    let start = head.hasByteOrderMark ? head.dropFirst(3) : head[...]
    var rest = start.drop { isBlank($0) }
    guard rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "[") else { return false }
    while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
      let text = rest[rest.index(after: quote)...]
      guard let end = endOfText(text) else { return false }
      rest = text[text.index(after: end)...]
      let isKey = rest.first { !isBlank($0) } == UInt8(ascii: ":")
      if isKey, keys.contains(Array(text[..<end])) { return true }
    }
    return false
  }

  /// Index of the quotation mark that closes a string.
  private static func endOfText<Bytes: Collection<UInt8>>(_ text: Bytes) -> Bytes.Index? {
    var index = text.startIndex
    while index != text.endIndex {
      switch text[index] {
      case UInt8(ascii: "\""): return index
      case UInt8(ascii: "\\"):
        text.formIndex(after: &index)
        guard index != text.endIndex else { return nil }
      default: break
      }
      text.formIndex(after: &index)
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
