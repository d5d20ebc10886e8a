import Platform

/// The reason an index cannot be used.
package enum IndexFault: Error, Equatable, Sendable {
  /// The bytes differ from those written.
  case damaged
  /// Written by another version of the program.
  case otherVersion
  /// The index of another file, or of this one before it was changed.
  case otherFile
  /// The index does not exist or cannot be read.
  case missing
}

/// Reads the output of a `PackedWriter`; arbitrary bytes give values or a fault.
struct PackedReader: Sendable {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// Number of bytes left.
  var left: Int { bytes.endIndex - position }

  mutating func unsigned() throws(IndexFault) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard position < bytes.endIndex else { throw .damaged }
      let byte = bytes[position]
      position += 1
      guard shift < 63 || byte <= 1 else { throw .damaged }
      value |= UInt64(byte & 0x7F) &<< UInt64(shift)
      if byte < 0x80 { return value }
    }
    throw .damaged
  }

  /// A count of at most `limit`.
  mutating func count(atMost limit: Int = .max) throws(IndexFault) -> Int {
    let value = try unsigned()
    guard value <= UInt64(limit) else { throw .damaged }
    return Int(value)
  }

  mutating func signed() throws(IndexFault) -> Int64 {
    let value = try unsigned()
    return Int64(bitPattern: value &>> 1) ^ -Int64(bitPattern: value & 1)
  }

  mutating func fixed() throws(IndexFault) -> UInt64 {
    guard left >= 8 else { throw .damaged }
    var value: UInt64 = 0
    for index in 0..<8 { value |= UInt64(bytes[position + index]) &<< UInt64(index * 8) }
    position += 8
    return value
  }

  /// Reads a double; NaN is never written.
  mutating func double() throws(IndexFault) -> Double {
    let value = Double(bitPattern: try fixed())
    guard !value.isNaN else { throw .damaged }
    return value
  }

  mutating func moment() throws(IndexFault) -> Timestamp { Timestamp(try double()) }

  mutating func text() throws(IndexFault) -> String {
    let slice = try raw(count: count(atMost: left))
    guard let text = String(validating: slice, as: UTF8.self) else { throw .damaged }
    return text
  }

  mutating func optionalText() throws(IndexFault) -> String? {
    try unsigned() == 0 ? nil : try text()
  }

  mutating func raw(count: Int) throws(IndexFault) -> ArraySlice<UInt8> {
    guard count >= 0, count <= left else { throw .damaged }
    defer { position += count }
    return bytes[position..<position + count]
  }
}
