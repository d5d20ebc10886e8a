import Essentials

/// Base64 (RFC 4648, standard alphabet, padded), directly between byte buffers.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  private static let invalid: UInt32 = 1 << 31

  /// The bits that each character contributes to a group of three bytes, by its position in the group.
  private static let letters: [UInt32] = {
    var table = [UInt32](repeating: invalid, count: 4 * 256)
    for (value, letter) in alphabet.enumerated() {
      for place in 0..<4 { table[place * 256 + Int(letter)] = UInt32(value) << UInt32(18 - 6 * place) }
    }
    return table
  }()

  /// Appends data as Base64; a slash is written `\/`, as Foundation's encoder writes it in JSON.
  package static func append(escaping data: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    // In the worst case every character is an escaped slash.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: (data.count + 2) / 3 * 8) { room in
      let count = alphabet.withUnsafeBufferPointer { encode(data, into: room, $0) }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: room[..<count]))
    }
  }

  /// - Returns: The number of bytes written.
  private static func encode(
    _ data: UnsafeRawBufferPointer, into room: UnsafeMutableBufferPointer<UInt8>,
    _ alphabet: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var count = 0
    func put(_ byte: UInt8) {
      if byte == UInt8(ascii: "/") {
        room[count] = UInt8(ascii: "\\")
        count &+= 1
      }
      room[count] = byte
      count &+= 1
    }
    for index in stride(from: 0, to: data.count, by: 3) {
      let left = data.count - index
      let first = data[index]
      let second = left > 1 ? data[index + 1] : 0
      let third = left > 2 ? data[index + 2] : 0
      put(alphabet[Int(first >> 2)])
      put(alphabet[Int((first & 0x03) << 4 | second >> 4)])
      put(left > 1 ? alphabet[Int((second & 0x0F) << 2 | third >> 6)] : padding)
      put(left > 2 ? alphabet[Int(third & 0x3F)] : padding)
    }
    return count
  }

  /// Appends the decoded bytes to `output`; returns `false`, with `output` unchanged, if the text is not Base64.
  ///
  /// Surplus bits of the last group are ignored, as in Foundation.
  package static func decode(_ text: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Bool {
    let count = text.count
    guard count % 4 == 0 else { return false }
    guard count > 0 else { return true }
    let pads = text[count - 1] != padding ? 0 : text[count - 2] != padding ? 1 : 2
    let bytes = count / 4 * 3 - pads
    return withUnsafeTemporaryAllocation(byteCount: bytes + 4, alignment: 8) { room -> Bool in
      guard decode(text, pads, into: room) else { return false }
      output.append(contentsOf: room[..<bytes])
      return true
    }
  }

  /// Decodes Base64 taken from a JSON string, where a slash may be written `\/`.
  package static func decode(escaped text: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Bool {
    guard let base = text.baseAddress, memchr(base, 0x5C, text.count) != nil else {
      return decode(text, into: &output)
    }
    return withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 8) { plain -> Bool in
      var count = 0
      var isEscaped = false
      for byte in text {
        guard !isEscaped || byte == UInt8(ascii: "/") else { return false }
        isEscaped = byte == UInt8(ascii: "\\")
        plain[count] = byte
        count &+= isEscaped ? 0 : 1
      }
      return !isEscaped && decode(UnsafeRawBufferPointer(rebasing: plain[..<count]), into: &output)
    }
  }

  /// - Parameter target: Has space for the decoded bytes and one more, because three bytes are written as four.
  private static func decode(
    _ text: UnsafeRawBufferPointer, _ pads: Int, into target: UnsafeMutableRawBufferPointer
  ) -> Bool {
    letters.withUnsafeBufferPointer { letters -> Bool in
      guard let letters = letters.baseAddress, let start = text.baseAddress, var place = target.baseAddress
      else { return false }
      var invalid: UInt32 = 0
      let end = start + (text.count - (pads > 0 ? 4 : 0))
      var group = start
      while group < end {
        let word = Int(truncatingIfNeeded: group.loadUnaligned(as: UInt32.self))
        let bytes =
          letters[word & 0xFF] | letters[256 &+ (word &>> 8 & 0xFF)] | letters[512 &+ (word &>> 16 & 0xFF)]
          | letters[768 &+ (word &>> 24)]
        invalid |= bytes
        place.storeBytes(of: (bytes &<< 8).bigEndian, as: UInt32.self)
        group += 4
        place += 3
      }
      if pads > 0 {
        let character = { Int(group.load(fromByteOffset: $0, as: UInt8.self)) }
        let last =
          letters[character(0)] | letters[256 + character(1)]
          | (pads == 1 ? letters[512 + character(2)] : 0)
        invalid |= last
        place.storeBytes(of: (last &<< 8).bigEndian, as: UInt32.self)
      }
      return invalid & Self.invalid == 0
    }
  }
}
