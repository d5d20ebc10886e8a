import Essentials

/// Fields as the bytes of one column: variable-length numbers, and length prefixes.
///
/// Binary, not JSON: it distinguishes 2.0 from 2, holds every number, and is read ten times as fast.
enum StoredContent {
  /// Maximum nesting depth of values: that of Foundation's JSON decoder, and far below any stack limit.
  fileprivate static let maximalDepth = 512

  /// The fields as bytes; equal fields give equal bytes.
  ///
  /// - Throws: ``SyncError`` for a value nested too deep to be read again.
  static func bytes(of fields: [SyncValue]) throws(SyncError) -> [UInt8] {
    var writer = Writer()
    writer.bytes.reserveCapacity(256)
    for field in fields { try writer.append(field, depth: 0) }
    return writer.bytes
  }

  /// The fields encoded in bytes, or `nil` if the bytes are invalid.
  static func fields(of bytes: [UInt8]) -> [SyncValue]? {
    var reader = Reader(bytes: bytes)
    var fields: [SyncValue] = []
    do {
      while reader.position < bytes.count { fields.append(try reader.value(depth: 0)) }
      return fields
    } catch { return nil }
  }
}

private struct Writer {
  var bytes: [UInt8] = []

  mutating func append(_ value: SyncValue, depth: Int) throws(SyncError) {
    guard depth <= StoredContent.maximalDepth else {
      throw SyncError(.store, detail: "a value is nested too deep to be stored")
    }
    switch value {
    case .null: bytes.append(0)
    case .bool(let value): bytes.append(value ? 2 : 1)
    case .int(let value):
      bytes.append(3)
      // Zigzag: small numbers of either sign take few bytes.
      append(word: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    case .double(let value):
      bytes.append(4)
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    case .string(let value):
      bytes.append(5)
      append(value)
    case .array(let values):
      bytes.append(6)
      append(word: UInt64(values.count))
      for value in values { try append(value, depth: depth + 1) }
    case .object(let members):
      bytes.append(7)
      append(word: UInt64(members.count))
      for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        append(name)
        try append(value, depth: depth + 1)
      }
    }
  }

  private mutating func append(_ text: String) {
    append(word: UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Seven bits per byte, lowest first; the eighth marks a continuation.
  private mutating func append(word: UInt64) {
    var rest = word
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}

/// Decodes the output of ``Writer``; nothing in the bytes is trusted.
private struct Reader {
  struct Malformed: Error {}

  let bytes: [UInt8]
  var position = 0

  mutating func value(depth: Int) throws(Malformed) -> SyncValue {
    guard depth <= StoredContent.maximalDepth else { throw Malformed() }
    switch try byte() {
    case 0: return .null
    case 1: return .bool(false)
    case 2: return .bool(true)
    case 3:
      let word = try word()
      return .int(Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1))
    case 4:
      var pattern: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 64, by: 8) { pattern |= UInt64(try byte()) << shift }
      return .double(Double(bitPattern: pattern))
    case 5: return .string(try text())
    case 6:
      var values: [SyncValue] = []
      for _ in 0..<(try count()) { values.append(try value(depth: depth + 1)) }
      return .array(values)
    case 7:
      var members: [String: SyncValue] = [:]
      for _ in 0..<(try count()) {
        let name = try text()
        members[name] = try value(depth: depth + 1)
      }
      return .object(members)
    default: throw Malformed()
    }
  }

  private mutating func byte() throws(Malformed) -> UInt8 {
    guard position < bytes.count else { throw Malformed() }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func text() throws(Malformed) -> String {
    let count = try count()
    defer { position += count }
    return String(decoding: bytes[position..<position + count], as: UTF8.self)
  }

  /// A count of items of at least one byte each.
  private mutating func count() throws(Malformed) -> Int {
    guard let count = Int(exactly: try word()), count <= bytes.count - position else { throw Malformed() }
    return count
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
