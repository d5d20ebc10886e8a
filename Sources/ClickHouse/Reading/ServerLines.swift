import Aggregation
import Essentials
import History
import Platform

/// The samples of a time as the lines they were made of, read from a server as they are wanted, in the order of time.
final class ServerLines: HistoryBytes {
  private struct State {
    let reader: ServerReader
    var selection: ServerSelection
    /// The ranges that are not read yet.
    var slices: ArraySlice<Range<Int64>>
    /// The lines of the last slice, and the offset at which they begin.
    var lines: [UInt8] = []
    var start: UInt64 = 0
  }

  /// Samples read at once, unless more of them lie in one slot.
  private static let sliceLimit = 20_000
  /// The seconds of a slot.
  private static let slot = 16

  private let state: Locked<State>

  init(_ reader: sending ServerReader, _ selection: ServerSelection) throws {
    reader.takesParts = false
    let statement =
      "SELECT \(Rollup.slot(Self.slot)) AS s, count() FROM \(selection.database).samples"
      + " WHERE \(selection.samples()) GROUP BY s ORDER BY s"
    let counts = try reader.rows(statement) { row throws(RowBinaryReader.Damage) in
      (slot: try row.word(Int64.self), count: try row.tally())
    }
    let slices = Self.slices(counts, in: selection.times.first ?? SampleTimes.all)
    state = Locked(State(reader: reader, selection: selection, slices: slices[...]))
  }

  /// Consecutive ranges that hold about as many samples.
  static func slices(_ counts: [(slot: Int64, count: Int)], in window: Range<Int64>) -> [Range<Int64>] {
    var (slices, start, waiting) = ([Range<Int64>](), window.lowerBound, 0)
    for (slot, count) in counts {
      if waiting > 0, waiting + count > sliceLimit {
        let end = SampleTimes.start(ofSlot: slot, seconds: Int64(Self.slot))
        if start < end { slices.append(start..<end) }
        (start, waiting) = (max(start, end), 0)
      }
      waiting = waiting.addingSaturated(count)
    }
    if waiting > 0, start < window.upperBound { slices.append(start..<window.upperBound) }
    return slices
  }

  /// Nothing asks for it: the lines are read from start to end.
  var status: FileStatus { get throws { throw POSIXError(.EINVAL) } }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    try state.withLock { state in
      while offset >= state.start + UInt64(state.lines.count), let slice = state.slices.popFirst() {
        state.start += UInt64(state.lines.count)
        state.selection.times = [slice]
        state.lines = []
        let rows = try state.reader.rows(PageStatements.all(state.selection)) {
          row throws(RowBinaryReader.Damage) in
          try StoredSample(&row)
        }
        for row in rows { row.append(to: &state.lines) }
      }
      guard offset >= state.start else { throw POSIXError(.ESPIPE) }
      let rest = state.lines.dropFirst(Int(clamping: offset - state.start)).prefix(buffer.count)
      buffer.copyBytes(from: rest)
      return rest.count
    }
  }
}
