import JSONLines
import Platform

/// Data gathered from files, continued as they grow.
struct Incremental<Content: BlockAccumulator> {
  private(set) var content: Content
  /// The blocks of each file that are in it, whose last lines are whole.
  private var blocks: [Int]
  /// The last answer, and the sizes of the files then.
  private var answer: (sizes: [UInt64], outcome: Content.Outcome)?

  init(_ content: Content, files: Int) {
    self.content = content
    blocks = [Int](repeating: 0, count: files)
  }

  /// Reads what has come since; what may still grow is in the answer alone.
  ///
  /// - Throws: `IndexPass.Failure` when it is abandoned; what was read until then stays.
  mutating func read(
    _ files: [HistoryFile], in window: Range<Timestamp>?, workers: Int,
    onProgress: @escaping HistoryStore.Progress
  ) throws -> Content.Outcome {
    let sizes = files.map(\.size)
    if let answer, answer.sizes == sizes { return answer.outcome }
    answer = nil
    let ends = files.map { max($0.looseBlocks.lowerBound, $0.indexableBlocks.upperBound) }
    var missing: [[Range<Int>]] = []
    for (place, file) in files.enumerated() {
      missing.append(try file.ranges(of: blocks[place]..<max(blocks[place], ends[place]), in: window))
    }
    let pass = GatherPass(
      files: files.map(\.bytes), blockSize: files.first?.blockSize ?? HistoryFile.blockSize, blocks: missing,
      workers: workers)
    var read = blocks
    defer { blocks = read }
    try pass.run(into: &content, onProgress: onProgress) { part in read[part.file] = part.blocks.upperBound }
    read = zip(read, ends).map(max)
    var whole = content
    for (place, file) in files.enumerated() {
      for number in read[place]..<max(read[place], file.looseBlocks.upperBound) {
        try file.forEachBatch(of: number) { batch, catalogue, first in
          whole.add(batch, catalogue, at: BatchPlace(file: place, block: number, first: first))
        }
      }
    }
    let outcome = whole.outcome
    answer = (sizes, outcome)
    return outcome
  }
}

extension HistoryFile {
  /// Those of some blocks that may hold samples of a window, which is all of them without one.
  fileprivate func ranges(of wanted: Range<Int>, in window: Range<Timestamp>?) throws -> [Range<Int>] {
    guard let window else { return wanted.isEmpty ? [] : [wanted] }
    var ranges: [Range<Int>] = []
    for number in try blocks(in: window) where wanted.contains(number) {
      if let last = ranges.last, last.upperBound == number {
        ranges[ranges.count - 1] = last.lowerBound..<number + 1
      } else {
        ranges.append(number..<number + 1)
      }
    }
    return ranges
  }
}

extension HistoryStore {
  /// Data gathered from the files, continuing what is known of them.
  ///
  /// - Parameters:
  ///   - path: Where it is kept.
  ///   - fresh: What it begins with, if what is kept is not wanted.
  ///   - window: The times that are wanted; `nil` for all.
  /// - Throws: `IndexPass.Failure` when it is abandoned; what was read until then stays.
  func gathered<Content: BlockAccumulator>(
    in path: ReferenceWritableKeyPath<HistoryStore, Incremental<Content>?>,
    _ fresh: @autoclosure () throws -> Content,
    in window: Range<Timestamp>? = nil, onProgress: Progress? = nil,
    isWanted: (Content) -> Bool = { _ in true }
  ) throws -> Content.Outcome {
    let kept = self[keyPath: path].flatMap { isWanted($0.content) ? $0 : nil }
    // Held once, so that it is not copied.
    self[keyPath: path] = nil
    var growing = try kept ?? Incremental(fresh(), files: files.count)
    defer { self[keyPath: path] = growing }
    return try growing.read(files, in: window, workers: workers, onProgress: onProgress ?? onGathering)
  }
}
