import Aggregation
import Essentials
import JSONLines
import Platform

/// The pass over blocks of a file that makes an index of them, on several cores.
package struct IndexPass: Sendable {
  /// How far a pass has come.
  package struct Progress: Sendable {
    /// Bytes read.
    package var done: UInt64
    /// Bytes in all.
    package var total: UInt64
  }

  /// Why a pass ended without an index.
  package enum Failure: Error, Equatable, Sendable {
    case cancelled
    /// The file was cut or replaced meanwhile: a pass that starts now would see something else.
    case changed
    case unreadable(Int32)
    case index(IndexFault)
  }

  /// The share of the file that the slots of the index may take; the levels above them take a third more.
  private static let share = 0.009
  /// Of a large file the share is less, because all slots are in memory while they are made.
  private static let largeShare = 0.004
  private static let largeBase = 8.0 * 1_048_576
  /// The least budget of the slots, in bytes.
  private static let leastBudget = 1 << 12

  let file: any HistoryBytes
  let blockSize: Int
  let blocks: Range<Int>
  let workers: Int

  /// - Parameter blocks: the numbers of the blocks to be read, which must be there whole.
  package init(file: any HistoryBytes, blockSize: Int, blocks: Range<Int>, workers: Int) {
    self.file = file
    self.blockSize = blockSize
    self.blocks = blocks
    self.workers = max(1, workers)
  }

  /// Maximum bytes of the slots in an index with that many blocks.
  static func budget(blocks: Int, blockSize: Int) -> Int {
    let size = Double(blocks) * Double(blockSize)
    return max(leastBudget, Int(min(size * share, largeBase + size * largeShare)))
  }

  /// Reads all blocks, the last first, on top of what a builder has.
  ///
  /// - Parameters:
  ///   - builder: what was indexed before; `nil` begins again.
  ///   - onProgress: called on any thread after each block; the pass ends early when it answers `false`.
  /// - Throws: why it ended without an index.
  package func run(
    on builder: IndexBuilder? = nil, onProgress: @escaping @Sendable (Progress) -> Bool
  ) throws(Failure) -> IndexBuilder {
    let begun: IndexBuilder
    if let builder {
      begun = builder
    } else {
      begun = IndexBuilder(
        exponent: try firstExponent(), budget: Self.budget(blocks: blocks.count, blockSize: blockSize))
    }
    let (indexed, read) = (Locked(begun), BlocksRead(total: blocks.count))
    do {
      // In any order, as what the builder comes to does not depend on it; so no tally waits for another.
      try OrderedReduce.run(count: blocks.count, workers: workers) { [self] _ in
        var worker = Worker(pass: self)
        return { number in
          try worker.read(block: blocks.upperBound - 1 - number, into: indexed)
          let goesOn = read.add(1, of: blockSize) { onProgress(Progress(done: $0, total: $1)) }
          if !goesOn { throw Failure.cancelled }
        }
      }
    } catch { throw Failure(error) }
    return indexed.withLock { $0 }
  }

  /// State of one thread, kept from block to block.
  private struct Worker {
    let pass: IndexPass
    private let reader: BlockReader
    private var names = TallyNames()
    private var numbers: [Int32] = []

    init(pass: IndexPass) {
      self.pass = pass
      reader = BlockReader(blockSize: pass.blockSize)
    }

    mutating func read(block: Int, into builder: Locked<IndexBuilder>) throws {
      // Asked before the block is read: its first samples have the new numbers already.
      if reader.forgetManyMetrics() { (names, numbers) = (TallyNames(), []) }
      var tally = BlockTally(exponent: builder.withLock { $0.exponent })
      let facts = try reader.read(block: block, of: pass.file) { batch, scanner, _, _ in
        tally.add(batch, scanner.catalogue, names: &names)
      }
      guard facts.isWhole, facts.size == pass.blockSize else { throw Failure.changed }
      try builder.withLock { try $0.merge(tally, of: block, facts, names: names, numbers: &numbers) }
    }
  }

  /// A step that makes one slot of a block, judging from the last one.
  private func firstExponent() throws(Failure) -> Int {
    guard let last = blocks.last else { return 0 }
    var tally = BlockTally(exponent: SlotTime.exponents.upperBound)
    var names = TallyNames()
    do {
      _ = try BlockReader(blockSize: blockSize).read(block: last, of: file) { batch, scanner, _, _ in
        tally.add(batch, scanner.catalogue, names: &names)
      }
    } catch { throw Failure(error) }
    let span = tally.lastTime - tally.firstTime
    guard span.isFinite, span > 0 else { return 0 }
    return Int(clamping: Int(span.exponent) - 1)
  }
}

extension IndexPass.Failure {
  package init(_ error: any Error) {
    switch error {
    case let failure as IndexPass.Failure: self = failure
    case let fault as IndexFault: self = .index(fault)
    case let error as POSIXError: self = .unreadable(error.code.rawValue)
    case let failure as FileFailure: self = .unreadable(failure.number)
    default:
      // Foundation keeps the system's reason behind its own.
      let reason = (error as? CocoaError)?.underlying as? POSIXError
      self = .unreadable(reason?.code.rawValue ?? EIO)
    }
  }
}

extension IndexPass.Failure {
  /// The reason in words.
  package var words: String {
    switch self {
    case .cancelled: "it was cancelled"
    case .changed: "a file keeps changing"
    case .unreadable(let code): String(cString: strerror(code))
    case .index: "its index is damaged"
    }
  }
}
