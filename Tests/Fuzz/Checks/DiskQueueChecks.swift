import Codecs
import Platform

@testable import DeliveryCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Checks of the disk queue of Delivery: whatever the files hold, the queue opens, gives events, and comes to an end.
enum DiskQueueChecks {
  /// The input as a segment and as the content of a record, after a byte that says how it is read; one input in 64 as the
  /// files of a folder, which takes a hundred times as long.
  static func queue(_ input: UnsafeRawBufferPointer) -> String? {
    var input = FuzzInput(input)
    let way = input.steering()
    let bytes = Array(input.bytes)
    if way % 64 == 63 { return folder(way, bytes) }
    return segment(bytes, by: way) ?? segment(segment(of: [bytes]), by: way)
  }

  // MARK: One segment

  private static func segment(of contents: [[UInt8]]) -> [UInt8] {
    SegmentHeader.bytes(base: 0) + contents.flatMap(RecordFrame.bytes)
  }

  private static func segment(_ bytes: [UInt8], by step: Int) -> String? {
    let checkpoint = SegmentHeader.checkpoint(in: bytes.prefix(SegmentHeader.size))
    let start = SegmentReader.Place(position: SegmentHeader.size, next: checkpoint?.first)
    let first = checkpoint?.first ?? EventRecord.numbers.lowerBound
    guard bytes.count >= SegmentHeader.size else { return nil }
    guard let whole = read(bytes, first: first, from: start, step: .max),
      let pieces = read(bytes, first: first, from: start, step: 1 + step % 4)
    else { return "bytes in memory cannot be read" }
    guard whole.end <= bytes.count else { return "more is good than there is" }
    guard whole.found == pieces.found, whole.lost == pieces.lost else {
      return "in pieces it reads otherwise"
    }
    guard whole.found.allSatisfy({ $0.number >= first }) else { return "a removed event comes back" }
    return whole.lost < 0 ? "less than nothing is lost" : complaint(about: whole.found)
  }

  private struct Found: Equatable {
    let event: QueuedEvent
    let number: Int64
  }

  /// Reads some events at a time, with a reader of its own each time.
  private static func read(
    _ bytes: [UInt8], first: Int64, from start: SegmentReader.Place, step: Int
  ) -> (found: [Found], lost: Int, end: Int)? {
    var (place, found, lost, end) = (start, [Found](), 0, 0)
    while true {
      var reader = SegmentReader(FileWindow(bytes), first: first, from: place)
      var taken = 0
      do {
        while taken < step, let next = try reader.next() {
          found.append(Found(event: next.event, number: next.number))
          taken += 1
        }
      } catch {
        return nil
      }
      (place, lost, end) = (reader.place, lost.adding(reader.lost), max(end, reader.end))
      if taken < step { return (found, lost, end) }
    }
  }

  /// A value that was read can be written and read again.
  private static func complaint(about found: [Found]) -> String? {
    for one in found {
      guard let bytes = try? EventRecord.bytes(of: one.event, number: one.number),
        let content = RecordFrame.content(in: bytes[...]), let record = EventRecord(content),
        record.number == one.number, record.event == one.event
      else { return "an event does not come back" }
    }
    return nil
  }

  // MARK: A folder

  /// In memory where that can be had, because no disk is as quick as the fuzzer.
  private static let path = (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") + "/fuzz-queue-\(getpid())"

  /// The bytes as two segments, read, removed and gone on with, over two openings.
  private static func folder(_ way: Int, _ bytes: [UInt8]) -> String? {
    let cut = bytes.count * (way / 64) / 4
    let parts = [Array(bytes[..<cut]), Array(bytes[cut...])]
    mkdir(path, 0o700)
    defer {
      for name in (try? Posix.names(in: path)) ?? [] { Posix.unlink(PathParts.join(path, name)) }
      rmdir(path)
    }
    for (number, part) in parts.enumerated() where !part.isEmpty {
      let file = PathParts.join(path, "queue.v1.800000000000000\(number)")
      guard let descriptor = try? Posix.open(file, flags: O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o600)
      else { return "no file can be made" }
      try? part.withUnsafeBytes { try Posix.write($0, to: descriptor) }
      Posix.close(descriptor)
    }
    do {
      for _ in 0..<2 { if let complaint = try use() { return complaint } }
      return try finish()
    } catch let failure as StorageFailure where failure.message.hasSuffix("no numbers are left for events") {
      return nil
    } catch {
      return "a call fails: \(error)"
    }
  }

  private static func open() throws -> SegmentedEventStorage {
    var operations = FileOperations.system
    (operations.sync, operations.syncFolder) = ({ _ in 0 }, { _ in 0 })
    return try SegmentedEventStorage(
      folder: path, limits: Segment.Limits(events: 3, bytes: 1 << 20), operations: operations)
  }

  private static let event = QueuedEvent(
    messageID: "fuzz", timestamp: "2026-01-01T00:00:00.000Z", json: Array("{}".utf8))

  private static func use() throws -> String? {
    let storage = try open()
    let events = try storage.first(3)
    guard events.count == min(3, storage.count) else { return "the oldest are not as many as are counted" }
    try storage.removeFirst(1)
    try storage.prepend(Array(events.prefix(1)))
    guard try storage.first(3) == events else { return "what is put back is not there" }
    let count = storage.count
    try storage.append([event, event])
    _ = try storage.first(.max)
    // Reading on may find events damaged that were counted, not more of them.
    return storage.count <= count + 2 && storage.takeDamage().events >= 0 ? nil : "the count grows"
  }

  private static func finish() throws -> String? {
    let storage = try open()
    var rounds = 0
    while storage.count > 0, rounds < 10_000 {
      try storage.removeFirst(2)
      rounds += 1
    }
    guard storage.count == 0, try storage.first(1).isEmpty else { return "it does not come to its end" }
    try storage.append([event])
    return try storage.first(2) == [event] ? nil : "it does not go on"
  }
}
