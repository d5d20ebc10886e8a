import Aggregation
import CHeap
import Essentials
import History
import JSONLines
import Platform

/// A block of a file from before the tail's start, ready to be merged.
struct EarlierBlock: Sendable {
  let range: Range<UInt64>
  let store: SeriesStore
  /// Engine records in the block, the newest ``EngineEntries/limit`` of each kind.
  var engines: [EngineKind: [RawEngineEntry]] = [:]
  let lines: Int
  let rejections: RejectionLog
  /// Bytes that no longer existed when they were to be read.
  let missing: UInt64
  let newest: Timestamp
  /// Formats recognized in lines of other programs.
  var formats: Set<ForeignFormat> = []
}

/// Reads the parts of files before their tails' starts, on several cores.
///
/// Blocks are read and merged from the end of the file to its start, so that recent data is complete first and the
/// store's space goes to the newest samples.
final class Backfill: Sendable {
  private struct Piece: Sendable {
    let member: TailMember
    let read: @Sendable () -> EarlierBlock
  }

  private let pass: OrderedReduce<Piece, (member: TailMember, block: EarlierBlock)>
  private let limits: SeriesStore.Limits
  let blockSize: UInt64
  private let mapping: LineMapping?

  /// Maximum total of metrics in finished blocks that wait for the ones before them.
  private static let seriesLimit = 10_000

  /// - Parameters:
  ///   - mapping: how lines in other formats than MisterMetrics' are read.
  ///   - merge: called for one block at a time, on any thread.
  init(
    limits: SeriesStore.Limits, blockSize: UInt64, mapping: LineMapping? = nil,
    workers: Int = max(1, ProcessInfo.processInfo.activeProcessorCount),
    merge: @escaping @Sendable (TailMember, EarlierBlock) -> Void
  ) {
    self.limits = limits
    self.blockSize = blockSize
    self.mapping = mapping
    var options = OrderedReduce<Piece, (member: TailMember, block: EarlierBlock)>.Options(workers: workers)
    options.weight = { $0.block.store.count }
    options.weightAhead = Self.seriesLimit
    // Tail and screen have priority.
    options.isBackground = true
    pass = OrderedReduce(
      options,
      onIdle: {
        // Memory freed by scanners and stores lies between live allocations.
        heap_give_back()
      }
    ) { _ in
      { piece in (piece.member, piece.read()) }
    } deliver: {
      merge($0.member, $0.block)
    }
  }

  /// Starts to read blocks of the bytes.
  ///
  /// - Parameter past: the part known from an index, which need not be read.
  func read(
    _ blocks: [Range<UInt64>], of bytes: EarlierBytes, _ member: TailMember, after past: HistoryPast? = nil
  ) {
    var pieces = blocks.map { range in
      Piece(member: member) { [limits, mapping] in Self.scan(range, of: bytes, mapping, limits) }
    }
    if let past {
      pieces.append(
        Piece(member: member) { [limits, mapping] in Self.take(past, of: bytes, mapping, limits) })
    }
    pass.add(pieces)
  }

  /// Stops after the blocks being read.
  func cancel() {
    pass.cancel()
  }

  /// The contents of an index; if it turns out to be invalid, everything is read.
  private static func take(
    _ past: HistoryPast, of bytes: EarlierBytes, _ mapping: LineMapping?, _ limits: SeriesStore.Limits
  ) -> EarlierBlock {
    guard let (store, rejections) = try? past.store(limits: limits) else {
      return scan(0..<past.end, of: bytes, mapping, limits)
    }
    return EarlierBlock(
      range: 0..<past.end, store: store, lines: past.lines, rejections: rejections, missing: 0,
      newest: store.timeRange.map { Timestamp($0.upperBound) } ?? .distantPast, formats: past.formats)
  }

  private static func scan(
    _ range: Range<UInt64>, of bytes: EarlierBytes, _ mapping: LineMapping?, _ limits: SeriesStore.Limits
  ) -> EarlierBlock {
    var store = SeriesStore(limits: limits)
    var fold = SampleFold()
    var collector = EngineCollector()
    var engines: [EngineKind: [RawEngineEntry]] = [:]
    let result = Result { () throws(FileFailure) in
      try bytes.scan(range, mapping: mapping) { batch, scanner in
        fold.fold(batch, scanner.catalogue, into: &store)
        collector.collect(from: batch, scanner.catalogue) { engines[$0, default: []].append($1) }
      }
    }
    switch result {
    case .success(let end):
      return EarlierBlock(
        range: range, store: store, engines: engines.mapValues { $0.suffix(EngineEntries.limit) },
        lines: end.scanner.lines,
        rejections: end.scanner.rejections,
        missing: end.missing, newest: fold.newest, formats: end.scanner.catalogue.formats)
    case .failure:
      return EarlierBlock(
        range: range, store: store, lines: 0, rejections: RejectionLog(),
        missing: UInt64(range.count),
        newest: fold.newest)
    }
  }
}
