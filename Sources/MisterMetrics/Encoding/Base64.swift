import Foundation

/// Base64 with the standard alphabet and padding, straight between byte buffers.
enum Base64 {
  /// Appends the Base64 of `data`; a slash is written `\/`, as it stands in a JSON text of Foundation's.
  static func append(escaping data: Data, to bytes: inout [UInt8]) {
    data.withUnsafeBytes { raw in
      // All of them might be slashes with their escapes.
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: (raw.count + 2) / 3 * 8) { room in
        let count = alphabet.withUnsafeBufferPointer { encode(raw, into: room, $0) }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: room[..<count]))
      }
    }
  }

  /// - Returns: How many bytes were written.
  private static func encode(
    _ raw: UnsafeRawBufferPointer, into room: UnsafeMutableBufferPointer<UInt8>,
    _ alphabet: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var count = 0
    func put(_ byte: UInt8) {
      room[count] = byte
      count &+= 1
    }
    func put(sextet: UInt8) {
      let byte = alphabet[Int(sextet)]
      if byte == UInt8(ascii: "/") { put(UInt8(ascii: "\\")) }
      put(byte)
    }
    for index in stride(from: 0, to: raw.count, by: 3) {
      let left = raw.count - index
      let first = raw[index]
      let second = left > 1 ? raw[index + 1] : 0
      let third = left > 2 ? raw[index + 2] : 0
      put(sextet: first >> 2)
      put(sextet: (first & 0x03) << 4 | second >> 4)
      if left > 1 { put(sextet: (second & 0x0F) << 2 | third >> 6) } else { put(padding) }
      if left > 2 { put(sextet: third & 0x3F) } else { put(padding) }
    }
    return count
  }

  /// The bytes that `text` stands for, or `nil` unless it is exactly what an encoder writes (without escapes).
  static func decode(_ text: UnsafeRawBufferPointer) -> Data? {
    guard text.count % 4 == 0 else { return nil }
    guard !text.isEmpty else { return Data() }
    let pads = text[text.count - 1] != padding ? 0 : text[text.count - 2] != padding ? 1 : 2
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    for index in stride(from: 0, to: text.count, by: 4) {
      var word: UInt32 = 0
      for offset in 0..<4 {
        let isPad = index + offset >= text.count - pads
        let sextet = isPad ? 0 : sextets[Int(text[index + offset])]
        guard sextet < 64 else { return nil }
        word = word << 6 | UInt32(sextet)
      }
      bytes.append(UInt8(truncatingIfNeeded: word >> 16))
      bytes.append(UInt8(truncatingIfNeeded: word >> 8))
      bytes.append(UInt8(truncatingIfNeeded: word))
    }
    bytes.removeLast(pads)
    return Data(bytes)
  }

  private static let padding = UInt8(ascii: "=")
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each alphabet byte; 255 for all others.
  private static let sextets: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    for (value, byte) in alphabet.enumerated() { table[Int(byte)] = UInt8(truncatingIfNeeded: value) }
    return table
  }()
}
