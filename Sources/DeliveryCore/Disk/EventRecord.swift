import Codecs

/// An event as stored in a segment: its number, the lengths of its strings, the strings, the JSON.
struct EventRecord {
  /// Maximum size of a record in bytes: nothing larger was ever written, so nothing larger is read into memory.
  static let maximalSize = 64 << 20

  /// Events of a queue are numbered without gaps, so that missing ones can be counted.
  let number: Int64
  /// `nil` if the record is intact but does not contain an event.
  let event: QueuedEvent?

  /// An event as a record with its checksums.
  static func bytes(of event: QueuedEvent, number: Int64) throws(StorageFailure) -> [UInt8] {
    var content = LittleEndian.bytes(of: number)
    for text in [event.messageID, event.timestamp] {
      content += LittleEndian.bytes(of: UInt32(truncatingIfNeeded: text.utf8.count))
    }
    content += event.messageID.utf8
    content += event.timestamp.utf8
    content += event.json
    guard content.count <= maximalSize else {
      throw StorageFailure("an event of \(event.bytes) bytes is too large to be stored")
    }
    return RecordFrame.bytes(of: content)
  }

  /// Reads the content of a record; `nil` if it lacks even a number.
  init?(_ content: ArraySlice<UInt8>) {
    guard content.count >= 8 else { return nil }
    number = LittleEndian.number(Int64.self, in: content)
    guard Self.numbers.contains(number) else { return nil }
    event = Self.event(in: content.dropFirst(8))
  }

  /// The valid numbers: far enough from the limits that no sum overflows.
  static let numbers = -(Int64(1) << 60)...(Int64(1) << 60)

  private static func event(in content: ArraySlice<UInt8>) -> QueuedEvent? {
    guard content.count >= 8 else { return nil }
    let lengths = (
      Int(LittleEndian.number(UInt32.self, in: content)),
      Int(LittleEndian.number(UInt32.self, in: content.dropFirst(4)))
    )
    let texts = content.dropFirst(8)
    guard lengths.0 + lengths.1 <= texts.count else { return nil }
    let json = texts.dropFirst(lengths.0 + lengths.1)
    guard json.first == UInt8(ascii: "{"), json.count > 1, json.last == UInt8(ascii: "}") else { return nil }
    return QueuedEvent(
      messageID: String(decoding: texts.prefix(lengths.0), as: UTF8.self),
      timestamp: String(decoding: texts.dropFirst(lengths.0).prefix(lengths.1), as: UTF8.self),
      json: Array(json))
  }
}
