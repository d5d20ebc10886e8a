import Aggregation
import Essentials
import JSONLines
import Platform

/// A pass over blocks of a file that builds their index on several cores.
package struct IndexPass: Sendable {
  /// Progress of a pass.
  package struct Progress: Sendable {
    /// Bytes read.
    package var done: UInt64
    /// Total bytes.
    package var total: UInt64
  }

  /// The reason a pass ended without an index.
  package enum Failure: Error, Equatable, Sendable {
    case cancelled
    /// The file was truncated or replaced meanwhile; a new pass would see something else.
    case changed
    case unreadable(Int32)
    case index(IndexFault)
  }

  /// Maximum size of the slots of an index as a share of the file; the levels above them add a third.
  private static let share = 0.009
  /// For a large file the share is smaller, because all slots are in memory while the index is built.
  private static let largeShare = 0.004
  private static let largeBase = 8.0 * 1_048_576
  /// Minimum budget of the slots, in bytes.
  private static let leastBudget = 1 << 12

  let file: any HistoryBytes
  let blockSize: Int
  let blocks: Range<Int>
  let workers: Int

  /// - Parameter blocks: numbers of the blocks to read, which must exist in full.
  package init(file: any HistoryBytes, blockSize: Int, blocks: Range<Int>, workers: Int) {
    self.file = file
    self.blockSize = blockSize
    self.blocks = blocks
    self.workers = max(1, workers)
  }

  /// Maximum bytes of the slots in an index with this many blocks.
  static func budget(blocks: Int, blockSize: Int) -> Int {
    let size = Double(blocks) * Double(blockSize)
    return max(leastBudget, Int(min(size * share, largeBase + size * largeShare)))
  }

  /// Reads all blocks, last first, on top of what a builder already has.
  ///
  /// - Parameters:
  ///   - builder: the builder of earlier blocks; `nil` starts a new one.
  ///   - onProgress: called on any thread after each block; the pass ends early if it returns `false`.
  /// - Throws: the reason for ending without an index.
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
      // In any order, since the builder's result does not depend on it; so no tally waits for another.
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
      // Before the block is read, because its first samples already have the new numbers.
      if reader.forgetManyMetrics() { (names, numbers) = (TallyNames(), []) }
      var tally = BlockTally(exponent: builder.withLock { $0.exponent })
      let facts = try reader.read(block: block, of: pass.file) { batch, scanner, _, _ in
        tally.add(batch, scanner.catalogue, names: &names)
      }
      guard facts.isWhole, facts.size == pass.blockSize else { throw Failure.changed }
      try builder.withLock { try $0.merge(tally, of: block, facts, names: names, numbers: &numbers) }
    }
  }

  /// A step of about one slot per block, estimated from the last block.
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
      // Foundation wraps the system error in its own.
      let reason = (error as? CocoaError)?.underlying as? POSIXError
      self = .unreadable(reason?.code.rawValue ?? EIO)
    }
  }
}

extension IndexPass.Failure {
  /// The reason as text.
  package var words: String {
    switch self {
    case .cancelled: "it was cancelled"
    case .changed: "a file keeps changing"
    case .unreadable(let code): String(cString: strerror(code))
    case .index: "its index is damaged"
    }
  }
}
