public import Foundation

/// The ids by which a server recognizes an event that comes twice.
///
/// An id is the epoch milliseconds of the event's creation, a hyphen and a UUID in small letters. It is made once and stays
/// the same over retries and restarts.
public enum MessageID {
  /// A new id for an event of this moment.
  package static func make(at date: Date, using generator: inout some RandomNumberGenerator) -> String {
    // Zero and less would make no valid id.
    String(max(1, EventTime.milliseconds(date))) + "-" + UUIDText.make(using: &generator)
  }

  /// When the event with this id was made; `nil` for a text that is no id.
  public static func creationDate(of id: String) -> Date? {
    milliseconds(of: id).map { Date(timeIntervalSince1970: Double($0) / 1000) }
  }

  /// Whether a text is an id: a positive number of milliseconds and the five parts of a UUID.
  public static func isValid(_ id: String) -> Bool { milliseconds(of: id) != nil }

  private static func milliseconds(of id: String) -> Int64? {
    guard let hyphen = id.utf8.firstIndex(of: UInt8(ascii: "-")) else { return nil }
    let digits = id[..<hyphen]
    // A sign would be read as part of the number.
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let milliseconds = Int64(digits), milliseconds > 0,
      UUIDText.isValid(id[id.utf8.index(after: hyphen)...])
    else { return nil }
    return milliseconds
  }
}

/// UUIDs as texts, without the detour through Foundation's type.
package enum UUIDText {
  /// Places of the hyphens.
  private static let hyphens = [8, 13, 18, 23]

  /// A new random UUID (version 4) in small letters.
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

  /// Whether a text has the digits of a UUID, in letters of either size, and its hyphens.
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
