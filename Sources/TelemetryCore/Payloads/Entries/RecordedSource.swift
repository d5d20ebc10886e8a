/// Which payload an entry is of: the name of what it was read from, and the hash of its content.
///
/// Written as `2025-06-01.json#` and the 32 digits of the hash.
public struct RecordedSource: Hashable, Sendable, LosslessStringConvertible {
  /// The name of the file, without its folders; empty where it came from none.
  public let name: String
  /// The hash of the payload's content.
  public let contentHash: PayloadHash

  /// The source of a payload.
  public init(name: String, contentHash: PayloadHash) {
    (self.name, self.contentHash) = (name, contentHash)
  }

  /// Reads a source as it is recorded, nil for a text that was written otherwise.
  public init?(_ description: String) {
    guard let separator = description.utf8.lastIndex(of: UInt8(ascii: "#")),
      let hash = PayloadHash(String(description[separator...].dropFirst()))
    else { return nil }
    self.init(name: String(description[..<separator]), contentHash: hash)
  }

  /// The source as it is recorded.
  public var description: String { name + "#" + contentHash.description }
}
