/// The text of a record, determined by the writer and the number, so that a single changed byte is detected.
package enum NumberedRecord {
  /// The name of a writer whose records have about `size` bytes each.
  package static func writer(_ index: Int, size: Int) -> String { "w\(index)x\(size)" }

  /// The text of a record.
  package static func payload(writer: String, number: Int) -> String {
    let size = writer.split(separator: "x").last.flatMap { Int($0) } ?? 0
    let head = "\(writer):\(number):"
    // About 110 bytes of a line are not the value, and Base64 takes four bytes for three.
    let rest = max(0, (size - 110 + number % 7) * 3 / 4 - head.count)
    let letter = Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 26)))
    return head + String(repeating: letter, count: rest)
  }
}
