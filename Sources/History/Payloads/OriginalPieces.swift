package import Codecs

/// Puts together the JSON of payloads as they were read: a long one is recorded in pieces.
///
/// `{"piece":0,"pieces":3,"source":"…","text":"…"}`
package struct OriginalPieces: Sendable {
  private var source: String?
  private var count: Int64 = 0
  private var text = ""
  /// True if the last record was a piece, and others are still to come.
  package private(set) var isOpen = false

  package init() {}

  /// Takes the next record, in their order.
  ///
  /// - Returns: The whole value; `nil` while pieces are missing, and for anything that is not an object.
  package mutating func take(_ json: some Sequence<UInt8>) -> JSONValue? {
    isOpen = false
    guard let value = try? JSONValue(Array(json)), let fields = value.fields else { return nil }
    guard let piece = fields["piece"] else { return value }
    guard case .integer(let number) = piece, case .integer(let all)? = fields["pieces"],
      let text = fields["text"]?.text
    else { return nil }
    let source = fields["source"]?.text
    if number == 0 { (self.source, count, self.text) = (source, 0, "") }
    guard number == count, source == self.source else { return nil }
    (count, self.text) = (count + 1, self.text + text)
    isOpen = count < all
    guard count == all else { return nil }
    defer { (self.source, count, self.text) = (nil, 0, "") }
    return try? JSONValue(Array(self.text.utf8))
  }
}
