/// UUIDs as strings, without Foundation's type.
package enum UUIDText {
  /// Indexes of the hyphens.
  private static let hyphens = [8, 13, 18, 23]

  /// A new random UUID (version 4) in lower case.
  package static func make(using generator: inout some RandomNumberGenerator) -> String {
    let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      func put(_ word: UInt64) {
        for shift in stride(from: 60 as UInt64, through: 0, by: -4) {
          if place == 8 || place == 13 || place == 18 || place == 23 {
            text[place] = UInt8(ascii: "-")
            place += 1
          }
          let digit = UInt8(truncatingIfNeeded: word >> shift & 0xF)
          text[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
          place += 1
        }
      }
      put(high)
      put(low)
      return 36
    }
  }

  /// True if the text has the digits and hyphens of a UUID, in either case.
  package static func isValid(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 36
      && text.utf8.enumerated().allSatisfy { place, byte in
        switch byte {
        case UInt8(ascii: "-"): hyphens.contains(place)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          !hyphens.contains(place)
        default: false
        }
      }
  }
}
