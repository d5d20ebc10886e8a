import JSONLines

/// What was gathered from files, which goes on as they grow.
struct Growing<Content: BlockGathering> {
  /// The blocks of each file that are in it, whose last lines are whole.
  private var blocks: [Int]
  private var content: Content
  /// What was answered last, and how long the files were then.
  private var answer: (sizes: [UInt64], outcome: Content.Outcome)?

  init(_ content: Content, files: Int) {
    self.content = content
    blocks = [Int](repeating: 0, count: files)
  }
}

extension Growing {
  /// Reads what has come since; what may still grow is in the answer alone.
  ///
  /// - Throws: `IndexPass.Failure` when it is given up; what was read until then stays.
  mutating func read(_ history: HistorySet) throws -> Content.Outcome {
    let files = history.files
    let sizes = files.map(\.size)
    if let answer, answer.sizes == sizes { return answer.outcome }
    let wholes = files.map { max($0.looseBlocks.lowerBound, $0.indexableBlocks.upperBound) }
    let missing = zip(blocks, wholes).map { [$0..<max($0, $1)] }
    let pass = GatherPass(
      files: files.map(\.bytes), blockSize: files.first?.blockSize ?? HistoryFile.blockSize, blocks: missing,
      workers: history.workers)
    var blocks = blocks
    defer { self.blocks = blocks }
    answer = nil
    try pass.run(into: &content, onProgress: history.onGathering) { part in
      blocks[part.file] = part.blocks.upperBound
    }
    var whole = content
    for (place, file) in files.enumerated() {
      for number in blocks[place]..<max(blocks[place], file.looseBlocks.upperBound) {
        try file.forEachBatch(of: number) { whole.add($0, $1, file: place) }
      }
    }
    let outcome = whole.outcome
    answer = (sizes, outcome)
    return outcome
  }
}
