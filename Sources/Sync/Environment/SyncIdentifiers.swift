package import Essentials

/// Generator of ids: time-ordered UUIDs for mutations and entities, random ones for idempotency keys.
package struct SyncIdentifiers: Sendable {
  /// The source of randomness.
  package var generator: any RandomNumberGenerator & Sendable
  /// The latest keys, to notice a generator that repeats.
  private var recent: Set<String> = []

  /// Creates a generator of ids that draws from `generator`.
  package init(_ generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
    self.generator = generator
  }

  /// A random UUID (version 4 of RFC 9562), in lower case.
  package mutating func random() -> String {
    uuid(generator.next(), generator.next(), version: 4)
  }

  /// A new idempotency key.
  ///
  /// - Throws: ``SyncError`` with the code `repeatedIdentifier` if it is one of the latest thousand.
  package mutating func key() throws(SyncError) -> String {
    let key = random()
    if recent.count >= 1000 { recent = [] }
    guard recent.insert(key).inserted else { throw SyncError(.repeatedIdentifier, detail: key) }
    return key
  }

  /// A time-ordered UUID (version 7 of RFC 9562), in lower case.
  ///
  /// - Parameter time: The timestamp; one out of range is clamped.
  package mutating func timeOrdered(at time: Date) -> String {
    let milliseconds = UInt64(min(max(0, time.timeIntervalSince1970 * 1000), 0x7FFF_FFFF_FFFF))
    return uuid(milliseconds << 16 | generator.next() & 0xFFFF, generator.next(), version: 7)
  }

  private func uuid(_ high: UInt64, _ low: UInt64, version: UInt64) -> String {
    let high = high & ~0xF000 | version << 12
    let low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = Self.hex(high) + Self.hex(low)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func hex(_ number: UInt64) -> [UInt8] {
    stride(from: 60, through: 0, by: -4).map { shift in
      let digit = UInt8(number >> UInt64(shift) & 0xF)
      return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
  }
}
