/// Shapes of objects whose members have different names.
///
/// A shape is a hash of an object's names in their order. A program writes few of them, so looking up the shape proves
/// for nearly every object that no member is repeated, without comparing names.
struct ObjectShapes: Sendable {
  static let capacity: UInt64 = 256

  /// Shared until the first shape is inserted: most files have none.
  private static let none = [UInt64](repeating: 0, count: Int(capacity))
  private(set) var known = Self.none

  /// Remembers the shape of an object without repeated members.
  mutating func insert(_ shape: ObjectShape) {
    known[Int(shape.value & (Self.capacity &- 1))] = shape.value
  }

  /// A valid object without repeated members; `nil` if there are none.
  mutating func withoutRepeated(_ json: UnsafeRawBufferPointer) -> [UInt8]? {
    let isKnown = known.withUnsafeBufferPointer { known in
      guard var lexer = LineLexer(json, shapes: known.baseAddress), let start = lexer.skipSpace(0) else {
        return true
      }
      return lexer.valueEnd(start) == nil || !lexer.hasNewShape
    }
    return isKnown ? nil : RepeatedMembers.removed(from: json, learning: &self)
  }
}

/// The shape of an object, computed name by name.
struct ObjectShape {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Adds the next name.
  ///
  /// - Parameters:
  ///   - words: The name as words.
  ///   - name: The name's bytes.
  @inline(__always)
  mutating func add(_ words: MemberRole.Words, _ name: UnsafeRawPointer) {
    mix(
      words.head &* 0xD6E8_FEB8_6659_FD93 &+ words.tail &* 0xA076_1D64_78BD_642F
        &+ UInt64(truncatingIfNeeded: words.count))
    if words.count > MemberRole.Words.limit { addLong(name, words.count) }
  }

  /// Adds a name of more than sixteen bytes.
  @inline(never)
  private mutating func addLong(_ name: UnsafeRawPointer, _ count: Int) {
    var place = 0
    while place &+ 8 <= count {
      mix(name.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place &+= 8
    }
    mix(name.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
  }

  @inline(__always)
  private mutating func mix(_ word: UInt64) {
    let product = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
    value = product ^ product &>> 32
  }

  /// True if an object of this shape is known to have no repeated members.
  @inline(__always)
  func isKnown(_ known: UnsafePointer<UInt64>) -> Bool {
    known[Int(truncatingIfNeeded: value & (ObjectShapes.capacity &- 1))] == value
  }
}
