import JSONLines
import Platform

/// The position of a batch.
package struct BatchPlace {
  /// The number of the file in the history.
  let file: Int
  let block: Int
  /// Number of samples in the block before those of the batch.
  var first = 0

  package init(file: Int, block: Int, first: Int = 0) {
    (self.file, self.block, self.first) = (file, block, first)
  }
}

/// Accumulates the samples of blocks, part by part.
protocol BlockAccumulator: Sendable {
  /// An empty accumulator for another part.
  var empty: Self { get }
  /// Adds samples that follow those added so far.
  mutating func add(_ batch: SampleBatch, _ catalogue: MetricCatalogue, at place: BatchPlace)
  /// Merges the data of a later part of a file.
  mutating func merge(_ next: Self, file: Int)

  associatedtype Outcome
  /// The result so far.
  var outcome: Outcome { get }
}

/// Reads blocks of files on several cores and merges the accumulated data in order.
///
/// The parts depend only on the blocks, not on the number of cores, and so does the outcome.
struct GatherPass: Sendable {
  /// Blocks that are accumulated together.
  struct Part: Sendable {
    let file: Int
    let blocks: Range<Int>
  }

  /// Approximate number of parts in a pass.
  private static let fewestParts = 16
  /// Maximum blocks in a part.
  private static let partLimit = 64

  private let files: [any HistoryBytes]
  private let blockSize: Int
  private let parts: [Part]
  private let workers: Int

  /// - Parameter blocks: numbers of the blocks to read, for each file.
  init(files: [any HistoryBytes], blockSize: Int, blocks: [[Range<Int>]], workers: Int) {
    (self.files, self.blockSize) = (files, blockSize)
    let total = blocks.joined().reduce(0) { $0 + $1.count }
    let size = max(1, min(Self.partLimit, total / Self.fewestParts))
    parts = blocks.enumerated().flatMap { file, ranges in
      ranges.flatMap { range in
        stride(from: range.lowerBound, to: range.upperBound, by: size).map {
          Part(file: file, blocks: $0..<min($0 + size, range.upperBound))
        }
      }
    }
    self.workers = max(1, workers)
  }

  /// Reads all blocks and adds their data to `content`.
  ///
  /// - Parameters:
  ///   - content: receives the results; if the pass ends early, those of the first parts.
  ///   - onProgress: called on any thread after each block, with bytes done and total; the pass ends early if it
  ///     returns `false`.
  ///   - onMerged: called with each part merged into `content`.
  /// - Throws: the reason for ending early.
  func run<Content: BlockAccumulator>(
    into content: inout Content,
    onProgress: @escaping @Sendable (_ done: UInt64, _ total: UInt64) -> Bool, onMerged: (Part) -> Void
  ) throws(IndexPass.Failure) {
    let (read, empty) = (BlocksRead(total: parts.reduce(0) { $0 + $1.blocks.count }), content.empty)
    var merged = parts.makeIterator()
    do {
      try OrderedReduce.run(count: parts.count, workers: workers) { [self] isStopped in
        let reader = BlockReader(blockSize: blockSize)
        return { number in
          try gather(parts[number], into: empty, with: reader) {
            guard !isStopped(), read.add(1, of: blockSize, onProgress) else {
              throw IndexPass.Failure.cancelled
            }
          }
        }
      } deliver: { gathered in
        guard let part = merged.next() else { return }
        content.merge(gathered, file: part.file)
        onMerged(part)
      }
    } catch { throw IndexPass.Failure(error) }
  }

  private func gather<Content: BlockAccumulator>(
    _ part: Part, into empty: Content, with reader: BlockReader, afterBlock: () throws -> Void
  ) throws -> Content {
    var gathered = empty
    for block in part.blocks {
      var place = BatchPlace(file: part.file, block: block)
      _ = try reader.read(block: block, of: files[part.file]) { batch, scanner, _, _ in
        gathered.add(batch, scanner.catalogue, at: place)
        place.first += batch.samples.count
      }
      try afterBlock()
    }
    return gathered
  }
}

/// Number of blocks read in a pass, across all threads.
struct BlocksRead: Sendable {
  private let total: Int
  private let done = Locked(0)

  init(total: Int) {
    self.total = total
  }

  /// Counts blocks and reports the bytes; returns false to end the pass.
  func add(_ blocks: Int, of size: Int, _ onProgress: (_ done: UInt64, _ total: UInt64) -> Bool) -> Bool {
    let done = done.withLock { done in
      done += blocks
      return done
    }
    return onProgress(UInt64(done) * UInt64(size), UInt64(total) * UInt64(size))
  }
}
