import JSONLines
import Platform

/// Where the samples of a batch stand.
struct BatchPlace {
  /// The number of the file in the history.
  let file: Int
  let block: Int
  /// How many samples of the block stand before those of the batch.
  var first = 0
}

/// Accumulates the samples of blocks, part by part.
protocol BlockAccumulator: Sendable {
  /// One with nothing in it, which gathers another part for this one.
  var empty: Self { get }
  /// Takes in samples that stand behind those that were taken in so far.
  mutating func add(_ batch: SampleBatch, _ catalogue: MetricCatalogue, at place: BatchPlace)
  /// Takes in what was gathered of a later part of a file.
  mutating func merge(_ next: Self, file: Int)

  associatedtype Outcome
  /// The result so far.
  var outcome: Outcome { get }
}

/// Reads blocks of files on several cores and brings together what is gathered from them, in their order.
///
/// The parts depend on the blocks alone and not on the cores, and neither does the outcome.
struct GatherPass: Sendable {
  /// Blocks that are gathered together.
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

  /// - Parameter blocks: for each file the numbers of the blocks to be read.
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

  /// Reads all blocks and adds what they hold to `content`.
  ///
  /// - Parameters:
  ///   - content: Gets the results; of a pass that ends early, those of the first parts.
  ///   - onProgress: Called on any thread after each block, with bytes done and in all; the pass ends early when it answers `false`.
  ///   - onMerged: Called with each part that `content` has got.
  /// - Throws: Why it ended early.
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

/// The number of blocks of a pass that were read, by all threads.
struct BlocksRead: Sendable {
  private let total: Int
  private let done = Locked(0)

  init(total: Int) {
    self.total = total
  }

  /// Counts blocks and reports the bytes; answers whether to go on.
  func add(_ blocks: Int, of size: Int, _ onProgress: (_ done: UInt64, _ total: UInt64) -> Bool) -> Bool {
    let done = done.withLock { done in
      done += blocks
      return done
    }
    return onProgress(UInt64(done) * UInt64(size), UInt64(total) * UInt64(size))
  }
}
