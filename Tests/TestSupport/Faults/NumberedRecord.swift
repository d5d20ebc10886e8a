/// The record of a writing process: a text that follows from the writer and the number, so that one changed byte shows.
package enum NumberedRecord {
  /// The name of a writer; its records are of about `size` bytes each.
  package static func writer(_ index: Int, size: Int) -> String { "w\(index)x\(size)" }

  /// The text of a record.
  package static func payload(writer: String, number: Int) -> String {
    let size = writer.split(separator: "x").last.flatMap { Int($0) } ?? 0
    let head = "\(writer):\(number):"
    // Around 110 bytes of a line are not the value, and Base64 takes four bytes for three.
    let rest = max(0, (size - 110 + number % 7) * 3 / 4 - head.count)
    let letter = Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 26)))
    return head + String(repeating: letter, count: rest)
  }
}
