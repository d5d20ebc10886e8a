import Codecs

/// The header of a segment: its version, and two alternating checkpoints of removed events.
///
/// The checkpoint is part of the segment because it lives and dies with the events that it describes, and is written in
/// place so that events can be removed even on a full disk. The header fits into one sector.
enum SegmentHeader {
  /// The first line of every segment; its number is the format version of the rest.
  static let line = Array("mistertop-disk-queue 1\n".utf8)
  /// The size of the header: the offset of the first record.
  static let size = 128

  /// The position up to which a segment's events were removed.
  struct Checkpoint: Hashable {
    /// The number of the segment's first event.
    var base: Int64
    /// The number of the first event that is not removed.
    var first: Int64
    /// The checkpoint with the higher generation counts.
    var generation: Int64

    /// Its offset in the file, which never overwrites the previous checkpoint.
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

  /// True if the format version is known.
  static func hasVersion(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == size && bytes.starts(with: line)
  }

  /// The newest intact checkpoint.
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
