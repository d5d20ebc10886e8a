import Foundation

/// Gzip files, made without a packer.
enum PackedBytes {
  /// As `gzip -9` packs ``dynamicContent``: one block with codes of its own.
  static let dynamic = Array(
    Data(
      base64Encoded:
        "H4sIAAAAAAACA2VRyRECMQz7U8ZWkMhHbIqigR16B2Yi8chPE1uXc1+v6zltvR/3D0Vho0q+FeZGS9P0DZAcTgyKDFLX"
        + "6o08OfUyisjCqmgmLiY9OkltyoGgtVURVNOau7wAlRhCZGg2iTxoiqWp1XESGP1zhPKywxzqACYxKKdEoGvqNFyKkITk"
        + "yesBVVYpvUEhu1XLVEan0S3Dh6jr+HL3OgL8fzryG/0DR49rS00CAAA=")
      ?? Data())

  /// Sixty short lines of JSON.
  static let dynamicContent = Array(
    [
      137, 582, 867, 821, 782, 64, 261, 120, 507, 779, 460, 483, 667, 388, 807, 214, 96, 499, 29, 914,
      855, 399, 443, 622, 780, 785, 2, 712, 456, 272, 738, 821, 234, 605, 967, 104, 923, 325, 31, 22,
      26, 665, 554, 9, 961, 902, 390, 702, 221, 992, 432, 743, 29, 540, 227, 782, 448, 961, 507, 566,
    ].map { "{\"n\":\($0)}\n" }.joined().utf8)

  /// A member that holds bytes as they are.
  static func stored(_ content: [UInt8]) -> [UInt8] {
    var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    var rest = content[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      member += [rest.isEmpty ? 1 : 0] + bytes(count) + bytes(~count) + block
    } while !rest.isEmpty
    return member + bytes(checksum(content)) + bytes(UInt32(content.count))
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static let table = (0..<256 as Range<UInt32>).map { index in
    (0..<8).reduce(index) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
  }

  /// CRC-32, as gzip has it.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
  }
}
