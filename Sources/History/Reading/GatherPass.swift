import Foundation
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

/// What is gathered from the samples of blocks, part by part.
protocol BlockGathering: Sendable {
  /// One with nothing in it, which gathers another part for this one.
  var empty: Self { get }
  /// Takes in samples that stand behind those that were taken in so far.
  mutating func add(_ batch: SampleBatch, _ catalogue: MetricCatalogue, at place: BatchPlace)
  /// Takes in what was gathered of a later part of a file.
  mutating func merge(_ next: Self, file: Int)

  associatedtype Outcome
  /// What came of it so far.
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

  private struct Work<Content: BlockGathering>: Sendable {
    var content: Content
    var next = 0
    var merged = 0
    var waiting: [Int: Content] = [:]
    var blocksDone: UInt64 = 0
    var failure: IndexPass.Failure?
  }

  /// A pass has about so many parts.
  private static let fewestParts = 16
  /// Blocks of a part at most.
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
  ///   - content: Gets what was gathered; of a pass that ends early the first parts.
  ///   - onProgress: Called on any thread after each block, with bytes done and in all; the pass ends early when it answers `false`.
  ///   - onMerged: Called with each part that `content` has got.
  /// - Throws: Why it ended early.
  func run<Content: BlockGathering>(
    into content: inout Content,
    onProgress: @escaping @Sendable (_ done: UInt64, _ total: UInt64) -> Bool, onMerged: (Part) -> Void
  ) throws(IndexPass.Failure) {
    guard !parts.isEmpty else { return }
    // Nobody else holds what grows, so that it is not copied.
    let work = Locked(Work(content: content))
    content = content.empty
    DispatchQueue.concurrentPerform(iterations: min(workers, parts.count)) { _ in read(work, onProgress) }
    let outcome = work.withLock { $0 }
    content = outcome.content
    parts[..<outcome.merged].forEach(onMerged)
    if let failure = outcome.failure { throw failure }
  }

  private func read<Content: BlockGathering>(
    _ work: Locked<Work<Content>>, _ onProgress: (UInt64, UInt64) -> Bool
  ) {
    let reader = BlockReader(blockSize: blockSize)
    let size = UInt64(blockSize)
    let total = parts.reduce(0) { $0 + UInt64($1.blocks.count) } * size
    while let (number, empty) = next(work) {
      let part = parts[number]
      var gathered = empty
      do {
        for block in part.blocks {
          var place = BatchPlace(file: part.file, block: block)
          _ = try reader.read(block: block, of: files[part.file]) { batch, scanner, _, _ in
            gathered.add(batch, scanner.catalogue, at: place)
            place.first += batch.samples.count
          }
          let done = work.withLock { work in
            work.blocksDone += 1
            return work.failure == nil ? work.blocksDone * size : nil
          }
          guard let done else { return }
          guard onProgress(done, total) else { throw IndexPass.Failure.cancelled }
        }
      } catch {
        return work.withLock { $0.failure = $0.failure ?? IndexPass.Failure(error) }
      }
      work.withLock { take(gathered, of: number, &$0) }
    }
  }

  private func next<Content>(_ work: Locked<Work<Content>>) -> (part: Int, empty: Content)? {
    work.withLock { work in
      guard work.failure == nil, work.next < parts.count else { return nil }
      work.next += 1
      return (work.next - 1, work.content.empty)
    }
  }

  /// Brings together what stands without a gap.
  private func take<Content>(_ gathered: Content, of part: Int, _ work: inout Work<Content>) {
    work.waiting[part] = gathered
    while let next = work.waiting.removeValue(forKey: work.merged) {
      work.content.merge(next, file: parts[work.merged].file)
      work.merged += 1
    }
  }
}
