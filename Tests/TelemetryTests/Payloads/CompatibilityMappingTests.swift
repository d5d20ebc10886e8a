import Foundation
import Testing

@testable import TelemetryCore

@Suite("Characters that stand for others")
struct CompatibilityMappingTests {
  // Other systems may have another edition of Unicode.
  #if os(Linux)
    @Test("every character stands for what Foundation says")
    func everyCharacter() {
      var odd: [String] = []
      for value in UInt32(0x80)...0x2FFFF {
        guard let scalar = Unicode.Scalar(value) else { continue }
        var mapped = String.UnicodeScalarView()
        mapped.append(contentsOf: CompatibilityMapping.scalars(of: scalar))
        if String(mapped) != String(scalar).precomposedStringWithCompatibilityMapping {
          odd.append(String(value, radix: 16))
        }
      }
      #expect(odd == [])
    }
  #endif

  @Test(
    "texts with such characters are read",
    arguments: [
      ("１２ ｋＢ", 12.0, "kb"), ("７㎅", 7, "kb"), ("３㎳", 3, "ms"), ("② s", 2, "s"), ("5 ﾐﾘ秒", 5, "ミリ秒"),
    ])
  func quantities(text: String, value: Double, unit: String) throws {
    let quantity = try #require(LocalizedQuantity(text))
    #expect(quantity.value == value && quantity.unit == unit)
  }
}
