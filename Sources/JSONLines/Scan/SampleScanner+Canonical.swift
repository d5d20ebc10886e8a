import Codecs
import Essentials
import Platform

// The hot path. Everything here works on raw memory inside one chunk; each shortcut proves the layout that it relies
// on, and falls back to the general readers if it cannot.
extension SampleScanner {
  /// Samples collected before they are appended to the batch.
  private static let gathered = 128

  /// Reads canonical lines until it meets another kind of line, or nears the end of the chunk.
  ///
  /// - Parameters:
  ///   - chunk: Starts at a line start.
  ///   - slack: Number of readable bytes after the chunk.
  ///   - offset: Offset of the chunk in the file, in bytes.
  /// - Returns: The number of bytes and lines read.
  mutating func scanCanonical(
    _ chunk: UnsafeRawBufferPointer, slack: Int, at offset: UInt64, into batch: inout SampleBatch
  ) -> (bytes: Int, lines: Int) {
    guard let base = chunk.baseAddress, chunk.count &+ slack > CanonicalReader.room else { return (0, 0) }
    return withUnsafeTemporaryAllocation(of: Sample.self, capacity: Self.gathered) { samples in
      guard let out = samples.baseAddress else { return (0, 0) }
      var run = CanonicalRun()
      while true {
        run.count = 0
        let stop = Self.withReader(base: base, count: chunk.count, slack: slack, heads) { reader in
          reader.read(&run, into: out, capacity: Self.gathered, offset: offset)
        }
        batch.samples.append(contentsOf: UnsafeMutableBufferPointer(start: out, count: run.count))
        switch stop {
        case .full: continue
        case .value(let value) where append(value, in: chunk, offset, &run, into: &batch): continue
        case .value, .other, nil: return (run.position, run.lines)
        }
      }
    }
  }

  /// Lends a reader with all its tables.
  @inline(__always)
  private static func withReader<Result>(
    base: UnsafeRawPointer, count: Int, slack: Int, _ heads: HeadTable, _ body: (CanonicalReader) -> Result
  ) -> Result? {
    heads.withPointers { heads in
      PowersOfFive.words.withUnsafeBufferPointer { powers in
        NumberGroupTables.letters.withUnsafeBufferPointer { letters in
          NumberGroupTables.groups.withUnsafeBufferPointer { groups -> Result? in
            guard let powers = powers.baseAddress, let letters = letters.baseAddress,
              let groups = groups.baseAddress
            else { return nil }
            let numbers = NumberGroups(letters: letters, groups: groups, powers: powers)
            return body(
              CanonicalReader(
                base: base, count: count, readable: count &+ slack, heads: heads, numbers: numbers))
          }
        } ?? nil
      } ?? nil
    } ?? nil
  }

  /// Appends the sample of a line whose value is not a plain number; `false` if another reader should read the line.
  private mutating func append(
    _ parts: CanonicalRun.OtherValue, in chunk: UnsafeRawBufferPointer, _ offset: UInt64,
    _ run: inout CanonicalRun, into batch: inout SampleBatch
  ) -> Bool {
    let text = UnsafeRawBufferPointer(rebasing: chunk[parts.range])
    let start = batch.payload.count
    guard start <= 1 << 31, Base64.decode(escaped: text, into: &batch.payload) else { return false }
    guard let plain = PlainValue(batch.payload, from: start, shapes),
      !plain.mayRepeat || learn(plain, in: batch)
    else {
      batch.payload.removeLast(batch.payload.count - start)
      return false
    }
    batch.samples.append(
      Sample(
        time: Timestamp(parts.time), value: 0, offset: offset &+ UInt64(run.position),
        payloadStart: UInt32(plain.payload.lowerBound), payloadCount: UInt32(plain.payload.count),
        metric: parts.metric, kind: plain.kind))
    run.position = parts.range.upperBound + 3
    run.lines += 1
    return true
  }

  /// Remembers the shape of a struct; `false` if it repeats members, which a slower reader removes.
  private mutating func learn(_ plain: PlainValue, in batch: SampleBatch) -> Bool {
    batch.payload[plain.payload].withUnsafeBytes { RepeatedMembers.removed(from: $0, learning: &shapes) }
      == nil
  }
}

/// The progress of a run over canonical lines.
struct CanonicalRun {
  /// Start of the next line in the chunk.
  var position = 0
  /// Number of lines read.
  var lines = 0
  /// Number of samples ready.
  var count = 0

  /// The reason a run stopped.
  enum Stop {
    /// There is no room for another sample.
    case full
    /// The next line is valid, but its value is a string, object or array.
    case value(OtherValue)
    /// The next line is not canonical, its head is unknown, or the chunk ends.
    case other
  }

  /// A line that is read except for its value.
  struct OtherValue {
    let metric: MetricID
    let time: Double
    /// Range of the Base64 in the chunk; two more bytes and the newline end the line.
    let range: Range<Int>
  }
}
