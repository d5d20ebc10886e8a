import Essentials

/// Bytes being put together: numbers of variable length, lengths before what has one.
///
/// Binary and not JSON: a store reads its whole file when it is opened, and this is read ten times as fast.
struct StoreByteWriter {
  private(set) var bytes: [UInt8] = []

  /// Nothing yet; with room for so many bytes, where it is about one thing alone.
  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Forgets everything, but keeps the memory.
  mutating func clear() { bytes.removeAll(keepingCapacity: bytes.count < 1 << 20) }

  /// Cuts what was added since there were `count` bytes.
  mutating func cut(to count: Int) { bytes.removeSubrange(count...) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Seven bits a byte, the lowest first, the eighth says that there are more.
  mutating func append(count: Int) { append(word: UInt64(truncatingIfNeeded: count)) }

  /// Small numbers of either sign take few bytes.
  mutating func append(_ value: Int64) { append(word: UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

  mutating func append(_ value: Double) {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ text: String) {
    append(count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(_ data: Data) {
    append(count: data.count)
    bytes.append(contentsOf: data)
  }

  mutating func append<Value>(optional value: Value?, _ body: (inout Self, Value) throws -> Void) rethrows {
    append(value != nil)
    if let value { try body(&self, value) }
  }

  private mutating func append(word: UInt64) {
    var rest = word
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}

/// Takes apart what a ``StoreByteWriter`` has put together; nothing in the bytes is trusted.
struct StoreByteReader {
  /// The bytes are not what was written.
  struct Malformed: Error {}

  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// How many bytes are left.
  var remaining: Int { bytes.endIndex - position }

  mutating func byte() throws(Malformed) -> UInt8 {
    guard position < bytes.endIndex else { throw Malformed() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func bool() throws(Malformed) -> Bool {
    switch try byte() {
    case 0: false
    case 1: true
    default: throw Malformed()
    }
  }

  /// A number of things each of which takes a byte at least.
  mutating func count() throws(Malformed) -> Int {
    guard let count = Int(exactly: try word()), count <= remaining else { throw Malformed() }
    return count
  }

  mutating func integer() throws(Malformed) -> Int64 {
    let word = try word()
    return Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1)
  }

  mutating func double() throws(Malformed) -> Double {
    var pattern: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) { pattern |= UInt64(try byte()) << shift }
    return Double(bitPattern: pattern)
  }

  mutating func string() throws(Malformed) -> String { String(decoding: try run(), as: UTF8.self) }

  mutating func data() throws(Malformed) -> Data { Data(try run()) }

  mutating func skipString() throws(Malformed) { _ = try run() }

  /// Reads over a text, and says whether it has the bytes of that one.
  mutating func nextIs(_ text: String) -> Bool {
    guard let bytes = try? run(), bytes.count == text.utf8.count else { return false }
    let isSame = text.utf8.withContiguousStorageIfAvailable { text in
      text.withUnsafeBytes { text in bytes.withUnsafeBytes { $0.elementsEqual(text) } }
    }
    return isSame ?? bytes.elementsEqual(text.utf8)
  }

  /// Reads over a key, and says whether it is that one.
  mutating func nextIs(_ key: EntityKey) -> Bool {
    let isKind = nextIs(key.kind)
    return nextIs(key.id) && isKind
  }

  mutating func optional<Value>(_ body: (inout Self) throws(Malformed) -> Value) throws(Malformed) -> Value? {
    try bool() ? try body(&self) : nil
  }

  private mutating func run() throws(Malformed) -> ArraySlice<UInt8> {
    let count = try count()
    defer { position += count }
    return bytes[position..<position + count]
  }

  private mutating func word() throws(Malformed) -> UInt64 {
    var word: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let byte = try byte()
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || bits <= 1 else { throw Malformed() }
      word |= bits << shift
      if byte < 0x80 { return word }
    }
    throw Malformed()
  }
}
