import Codecs

/// A hash of 128 bits over contents, the same on every machine and in every process.
///
/// Neither the order of keys nor the form of numbers and units plays a part. It recognizes payloads that were uploaded
/// twice; it is not secure against deliberate collisions.
public struct PayloadHash: Hashable, Sendable, LosslessStringConvertible {
  private let high: UInt64
  private let low: UInt64

  init(_ digest: ContentDigest) {
    (high, low) = digest.words
  }

  /// The hash that 32 hexadecimal digits write, nil for any other text.
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

  /// In 32 hexadecimal digits.
  public var description: String { Hexadecimal.text(high) + Hexadecimal.text(low) }
}
