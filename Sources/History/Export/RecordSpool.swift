import Platform

/// Sorted runs of records in an unnamed file, which disappears with its last owner.
struct RecordSpool {
  private final class File {
    let descriptor: Int32

    init(folder: String) throws(FileFailure) {
      descriptor = try Posix.openUnnamed(in: folder)
    }

    deinit {
      Posix.close(descriptor)
    }
  }

  private let file: File
  private var count: UInt64 = 0
  private var runs: [Range<UInt64>] = []

  init(folder: String) throws(FileFailure) {
    file = try File(folder: folder)
  }

  mutating func write(_ bytes: [UInt8]) throws(FileFailure) {
    try bytes.withTypedBytes { bytes throws(FileFailure) in try Posix.write(bytes, to: file.descriptor) }
    count += UInt64(bytes.count)
  }

  /// Turns everything written since the last run into a run.
  mutating func endRun() {
    runs.append((runs.last?.upperBound ?? 0)..<count)
  }

  /// Calls `body` with the records of all runs in order; of equal ones, that of the older run comes first.
  func forEachMerged(_ body: (Record) throws -> Void) throws {
    var readers = runs.map { RunReader(descriptor: file.descriptor, bytes: $0) }
    /// The readers as a heap by their next records: none sorts before its parent.
    var heap: [Int] = []
    for index in readers.indices { try readers[index].advance() }
    func isBefore(_ left: Int, _ right: Int) -> Bool {
      guard let first = readers[left].record, let second = readers[right].record else { return false }
      return first.isBefore(second) || !second.isBefore(first) && left < right
    }
    func sink(from start: Int) {
      var place = start
      while true {
        var least = 2 * place + 1
        guard least < heap.count else { return }
        if least + 1 < heap.count, isBefore(heap[least + 1], heap[least]) { least += 1 }
        guard isBefore(heap[least], heap[place]) else { return }
        heap.swapAt(place, least)
        place = least
      }
    }
    heap = readers.indices.filter { readers[$0].record != nil }
    for place in heap.indices.reversed() { sink(from: place) }
    while let first = heap.first, let record = readers[first].record {
      try body(record)
      try readers[first].advance()
      if readers[first].record == nil {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
      }
      sink(from: 0)
    }
  }
}

/// Reads one run from start to end.
private struct RunReader {
  private static let bufferSize = 64 << 10

  private let descriptor: Int32
  /// Bytes not read yet.
  private var bytes: Range<UInt64>
  private var buffer: [UInt8] = []
  private var place = 0
  /// The current record; `nil` at the end.
  private(set) var record: Record?

  init(descriptor: Int32, bytes: Range<UInt64>) {
    self.descriptor = descriptor
    self.bytes = bytes
  }

  /// Advances to the next record.
  mutating func advance() throws(FileFailure) {
    record = nil
    guard try holds(RecordSorter.headCount) else { return }
    let count = Record.count(buffer, at: place)
    guard try holds(count) else { throw .tornFile }
    record = Record(buffer, at: place)
    place += count
  }

  /// Reads until the buffer has `wanted` bytes; returns false if the run ends first.
  private mutating func holds(_ wanted: Int) throws(FileFailure) -> Bool {
    while buffer.count - place < wanted, !bytes.isEmpty {
      buffer.removeFirst(place)
      place = 0
      let room = Int(min(UInt64(max(Self.bufferSize, wanted)), bytes.upperBound - bytes.lowerBound))
      let piece = try Posix.read(descriptor, at: Int(clamping: bytes.lowerBound), count: room)
      guard piece.count == room else { throw .tornFile }
      buffer += piece
      bytes = bytes.lowerBound + UInt64(room)..<bytes.upperBound
    }
    return buffer.count - place >= wanted
  }
}
