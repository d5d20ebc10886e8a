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
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for place in 0..<32 {
      if place == 8 || place == 12 || place == 16 || place == 20 { text.append(UInt8(ascii: "-")) }
      let digit = UInt8((place < 16 ? high : low) >> UInt64(60 - place % 16 * 4) & 0xF)
      text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
