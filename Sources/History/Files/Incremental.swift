import JSONLines
import Platform

/// Data accumulated from files, continued as they grow.
struct Incremental<Content: BlockAccumulator> {
  private(set) var content: Content
  /// Number of blocks of each file that are included, all with complete last lines.
  private var blocks: [Int]
  /// The last outcome, and the sizes of the files at that time.
  private var answer: (sizes: [UInt64], outcome: Content.Outcome)?

  init(_ content: Content, files: Int) {
    self.content = content
    blocks = [Int](repeating: 0, count: files)
  }

  /// Reads the content added since the last time; content that may still change enters the outcome only.
  ///
  /// - Throws: `IndexPass.Failure` if it is cancelled; everything read until then is kept.
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
  /// The given blocks that may hold samples of a window; all of them without a window.
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
  /// Data accumulated from the files, continuing what is already known.
  ///
  /// - Parameters:
  ///   - path: the property that keeps the data.
  ///   - fresh: the initial data, used if the kept data is not wanted.
  ///   - window: the wanted time range; `nil` for all times.
  /// - Throws: `IndexPass.Failure` if it is cancelled; everything read until then is kept.
  func gathered<Content: BlockAccumulator>(
    in path: ReferenceWritableKeyPath<HistoryStore, Incremental<Content>?>,
    _ fresh: @autoclosure () throws -> Content,
    in window: Range<Timestamp>? = nil, onProgress: Progress? = nil,
    isWanted: (Content) -> Bool = { _ in true }
  ) throws -> Content.Outcome {
    let kept = self[keyPath: path].flatMap { isWanted($0.content) ? $0 : nil }
    // Held only once, so that it is not copied.
    self[keyPath: path] = nil
    var growing = try kept ?? Incremental(fresh(), files: files.count)
    defer { self[keyPath: path] = growing }
    return try growing.read(files, in: window, workers: workers, onProgress: onProgress ?? onGathering)
  }
}
