import Testing

@testable import Codecs

@Suite("Base64")
struct Base64Tests {
  @Test(
    "is that of the standard, with slashes escaped",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("\u{FF}é", "w7\\/DqQ=="),
    ])
  func both(plain: String, encoded: String) {
    var bytes: [UInt8] = []
    Array(plain.utf8).withUnsafeBytes { Base64.append(escaping: $0, to: &bytes) }
    #expect(String(decoding: bytes, as: UTF8.self) == encoded)
    var decoded: [UInt8] = []
    #expect(bytes.withUnsafeBytes { Base64.decode(escaped: $0, into: &decoded) })
    #expect(decoded == Array(plain.utf8))
  }
}
