import Codecs

/// The beginning of a segment: its version, and twice, in turns, up to where its events were removed.
///
/// The checkpoint is here and not in a file of its own, because it goes with the events that it speaks of, and because it
/// is written in place: on a full disk too, events can be removed. All of it is in one sector.
enum SegmentHeader {
  /// The first line of every segment; the number is the version of what follows.
  static let line = Array("mistertop-disk-queue 1\n".utf8)
  /// Where the records begin.
  static let size = 128

  /// Up to where the events of a segment were removed.
  struct Checkpoint: Hashable {
    /// The number of the segment's first event.
    var base: Int64
    /// The number of the first event that is not removed.
    var first: Int64
    /// The newer checkpoint counts.
    var generation: Int64

    /// Where in the file it is written: not over the one before it.
    var offset: Int { SegmentHeader.offset(ofGeneration: generation) }

    var bytes: [UInt8] { RecordFrame.bytes(of: [base, first, generation].flatMap(LittleEndian.bytes)) }
  }

  /// The header of a new segment.
  static func bytes(base: Int64) -> [UInt8] {
    var bytes = line + [UInt8](repeating: 0, count: size - line.count)
    for generation in [Int64(-1), 0] {
      let checkpoint = Checkpoint(base: base, first: base, generation: generation)
      bytes.replaceSubrange(
        checkpoint.offset..<checkpoint.offset + checkpoint.bytes.count, with: checkpoint.bytes)
    }
    return bytes
  }

  /// True if what follows can be understood.
  static func hasVersion(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == size && bytes.starts(with: line)
  }

  /// The newest checkpoint that is as it was written.
  static func checkpoint(in bytes: ArraySlice<UInt8>) -> Checkpoint? {
    [Int64(0), 1].compactMap { generation in
      guard let content = RecordFrame.content(in: bytes.dropFirst(offset(ofGeneration: generation))),
        content.count == 24
      else { return nil }
      let numbers = [0, 8, 16].map { LittleEndian.number(Int64.self, in: content.dropFirst($0)) }
      guard numbers.allSatisfy(EventRecord.numbers.contains) else { return nil }
      return Checkpoint(base: numbers[0], first: numbers[1], generation: numbers[2])
    }.max { $0.generation < $1.generation }
  }

  private static func offset(ofGeneration generation: Int64) -> Int { 32 + 48 * Int(generation & 1) }
}
