import Codecs

/// A hash of 128 bits over content, the same on every machine and in every process.
///
/// It ignores the order of keys and the format of numbers and units. It recognizes payloads that were uploaded twice,
/// but is not secure against deliberate collisions.
public struct PayloadHash: Hashable, Sendable, LosslessStringConvertible {
  private let high: UInt64
  private let low: UInt64

  init(_ digest: ContentDigest) {
    (high, low) = digest.words
  }

  /// The hash from its 32 hexadecimal digits; `nil` for any other text.
  public init?(_ description: String) {
    let isHexadecimal = description.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
    guard isHexadecimal, description.utf8.count == 32, let high = UInt64(description.prefix(16), radix: 16),
      let low = UInt64(description.suffix(16), radix: 16)
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  /// The hash as 32 hexadecimal digits.
  public var description: String { Hexadecimal.text(high) + Hexadecimal.text(low) }
}
