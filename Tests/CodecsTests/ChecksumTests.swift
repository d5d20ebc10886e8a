import Testing

@testable import Codecs

@Suite("Checksums, decimals and hexadecimal digits")
struct ChecksumTests {
  @Test("check values of the standards")
  func checksums() {
    #expect(CRC32.checksum(of: Array("123456789".utf8)[...]) == 0xCBF4_3926)
    #expect(FNV1a.hash("".utf8) == 0xCBF2_9CE4_8422_2325)
    #expect(FNV1a.hash("foobar".utf8) == 0x8594_4171_F739_67E8)
  }

  @Test("the shortest decimal, whole numbers without a point")
  func decimals() {
    func text(_ number: Double) -> String {
      var bytes: [UInt8] = []
      Decimals.append(number, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(
      [0, -0.0, 5, -3, 0.1, 1e15, 1e16, 1e-7].map(text) == [
        "0", "-0", "5", "-3", "0.1", "1000000000000000", "1e+16", "1e-07",
      ])
    #expect(Decimals.padded(7, to: 3) == "007" && Decimals.padded(2026, to: 4) == "2026")
    #expect(Hexadecimal.text(UInt8(5)) == "05" && Hexadecimal.text(UInt64(255)) == "00000000000000ff")
  }
}
