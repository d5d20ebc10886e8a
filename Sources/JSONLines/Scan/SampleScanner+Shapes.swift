import Codecs
import Essentials
import Platform

// The hot path. Everything here works on raw memory inside one chunk; each shortcut proves the layout that it relies
// on, and falls back to the general readers if it cannot.
extension SampleScanner {
  /// Samples collected before they are appended to the batch.
  private static let gathered = 128

  /// Reads lines of known shapes until it meets another kind of line, or nears the end of the chunk.
  ///
  /// - Parameters:
  ///   - chunk: Starts at a line start.
  ///   - slack: Number of readable bytes after the chunk.
  ///   - offset: Offset of the chunk in the file, in bytes.
  /// - Returns: The number of bytes and lines read.
  mutating func scanKnownShapes(
    _ chunk: UnsafeRawBufferPointer, slack: Int, at offset: UInt64, into batch: inout SampleBatch
  ) -> (bytes: Int, lines: Int) {
    guard let base = chunk.baseAddress, lineShapes.mayFit(chunk), chunk.count &+ slack > ShapeReader.room
    else { return (0, 0) }
    return withUnsafeTemporaryAllocation(of: Sample.self, capacity: Self.gathered) { samples in
      guard let out = samples.baseAddress else { return (0, 0) }
      var run = ShapeRun()
      while true {
        run.count = 0
        let stop = withReader(base: base, count: chunk.count, slack: slack) { reader in
          reader.read(&run, into: out, capacity: Self.gathered, offset: offset)
        }
        batch.samples.append(contentsOf: UnsafeMutableBufferPointer(start: out, count: run.count))
        switch stop {
        case .full: break
        case .value(let value) where append(value, into: &batch):
          (run.position, run.lines) = (value.next, run.lines + 1)
        case .value, .other, nil: return (run.position, run.lines)
        }
      }
    }
  }

  /// Reads a record that is not followed by a newline and readable bytes; `false` if it has no known shape.
  mutating func scanKnownShape(
    _ record: UnsafeRawBufferPointer, at offset: UInt64, into batch: inout SampleBatch
  ) -> Bool {
    guard lineShapes.mayFit(record), record.count < HeadTable.longest else { return false }
    let slack = ShapeReader.room
    return withUnsafeTemporaryAllocation(byteCount: record.count + 1 + slack, alignment: 16) { room in
      room.initializeMemory(as: UInt8.self, repeating: 0x0A)
      room.copyMemory(from: record)
      let line = UnsafeRawBufferPointer(rebasing: room[...record.count])
      return scanKnownShapes(line, slack: slack, at: offset, into: &batch).lines == 1
    }
  }

  /// Lends a reader with all its tables.
  @inline(__always)
  private func withReader<Result>(
    base: UnsafeRawPointer, count: Int, slack: Int, _ body: (ShapeReader) -> Result
  ) -> Result? {
    heads.withPointers { heads in
      PowersOfFive.words.withUnsafeBufferPointer { powers in
        NumberGroupTables.letters.withUnsafeBufferPointer { letters in
          NumberGroupTables.groups.withUnsafeBufferPointer { groups -> Result? in
            guard let powers = powers.baseAddress, let letters = letters.baseAddress,
              let groups = groups.baseAddress
            else { return nil }
            let numbers = NumberGroups(letters: letters, groups: groups, powers: powers)
            return lineShapes.known.withUnsafeBufferPointer { shapes in
              body(
                ShapeReader(
                  base: base, count: count, readable: count &+ slack, shapes: shapes, heads: heads,
                  numbers: numbers))
            }
          }
        } ?? nil
      } ?? nil
    } ?? nil
  }

  /// Appends the sample of a line whose value is not a plain number; `false` if another reader should read the line.
  private mutating func append(_ value: ShapeRun.OtherValue, into batch: inout SampleBatch) -> Bool {
    let start = batch.payload.count
    guard start <= 1 << 31, Base64.decode(escaped: value.text, into: &batch.payload) else { return false }
    guard let plain = PlainValue(batch.payload, from: start, shapes),
      !plain.mayRepeat || learn(plain, in: batch)
    else {
      let json = Array(batch.payload[start...])
      batch.payload.removeLast(json.count)
      guard let text = try? ValueText(json: json) else { return false }
      append(text, value.metric, value.time, at: value.offset, into: &batch)
      return true
    }
    batch.samples.append(
      Sample(
        time: Timestamp(value.time), value: 0, offset: value.offset,
        payloadStart: UInt32(plain.payload.lowerBound), payloadCount: UInt32(plain.payload.count),
        metric: value.metric, kind: plain.kind))
    return true
  }

  /// Remembers the shape of a struct; `false` if it repeats members, which a slower reader removes.
  private mutating func learn(_ plain: PlainValue, in batch: SampleBatch) -> Bool {
    batch.payload[plain.payload].withUnsafeBytes { RepeatedMembers.removed(from: $0, learning: &shapes) }
      == nil
  }
}
