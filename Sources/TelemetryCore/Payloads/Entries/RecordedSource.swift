/// Identifies the payload of an entry by the name of its source and the hash of its content.
///
/// Written as `2025-06-01.json#` and the 32 digits of the hash.
public struct RecordedSource: Hashable, Sendable, LosslessStringConvertible {
  /// The file name without its folders; empty if the payload did not come from a file.
  public let name: String
  /// The hash of the payload's content.
  public let contentHash: PayloadHash

  /// The source of a payload.
  public init(name: String, contentHash: PayloadHash) {
    (self.name, self.contentHash) = (name, contentHash)
  }

  /// Reads a recorded source; `nil` for text in any other form.
  public init?(_ description: String) {
    guard let separator = description.utf8.lastIndex(of: UInt8(ascii: "#")),
      let hash = PayloadHash(String(description[separator...].dropFirst()))
    else { return nil }
    self.init(name: String(description[..<separator]), contentHash: hash)
  }

  /// Digits of the hash by which figures name their payload.
  private static let referenceLength = 16

  /// The payload as its figures name it: `#` and the first 16 digits of its hash.
  public var reference: String { "#" + contentHash.description.prefix(Self.referenceLength) }

  /// The reference to the payload of an entry, by the source in it; `nil` for text in any other form.
  public static func reference(ofSource source: String) -> String? {
    guard let separator = source.utf8.lastIndex(of: UInt8(ascii: "#")) else { return nil }
    let digits = source[separator...].utf8.dropFirst()
    guard digits.count >= referenceLength else { return nil }
    return "#" + source[digits.startIndex...].prefix(referenceLength)
  }

  /// The source in its recorded form.
  public var description: String { name + "#" + contentHash.description }
}
