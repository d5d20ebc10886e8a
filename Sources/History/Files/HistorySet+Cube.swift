package import Aggregation
import JSONLines

/// The cube of a series, and up to where each file is in it.
struct GrowingCube {
  let focus: SeriesIdentity
  /// The blocks of each file that are in it, whose last lines are whole.
  var blocks: [Int]
  var cube: SampleCube
}

extension HistorySet {
  /// So many slots of time are told apart at first.
  private static let cubeSlots = 256

  /// The numbers of a series by their labels (the text and bool fields beside them, and the file where there are
  /// several) and by time.
  ///
  /// The first question about a series reads the files; later ones read what has come since.
  ///
  /// - Throws: `IndexPass.Failure` when it is given up, else the system's reason.
  package func cube(of focus: SeriesIdentity) throws -> SampleCube {
    var growing =
      try growingCube.flatMap { $0.focus == focus ? $0 : nil }
      ?? GrowingCube(focus: focus, blocks: files.map { _ in 0 }, cube: SampleCube(step: cubeStep()))
    defer { growingCube = growing }
    let wholes = files.map { max($0.looseBlocks.lowerBound, $0.indexableBlocks.upperBound) }
    let total = zip(wholes, growing.blocks).reduce(0) { $0 + max(0, $1.0 - $1.1) }
    var done = 0
    for (place, file) in files.enumerated() {
      for number in growing.blocks[place]..<max(growing.blocks[place], wholes[place]) {
        let size = UInt64(file.blockSize)
        guard onProgress(UInt64(done) * size, UInt64(total) * size) else {
          throw IndexPass.Failure.cancelled
        }
        try add(number, of: place, focus, to: &growing.cube)
        growing.blocks[place] = number + 1
        done += 1
      }
    }
    // What may still grow is in the answer alone.
    var cube = growing.cube
    for (place, file) in files.enumerated() {
      for number in growing.blocks[place]..<max(growing.blocks[place], file.looseBlocks.upperBound) {
        try add(number, of: place, focus, to: &cube)
      }
    }
    return cube
  }

  private func cubeStep() throws -> Double {
    guard let range = try range() else { return 1 }
    return RoundTime.step(atLeast: (range.upperBound - range.lowerBound) / Double(Self.cubeSlots))
  }

  private func add(_ number: Int, of place: Int, _ focus: SeriesIdentity, to cube: inout SampleCube) throws {
    let file = files.count > 1 ? SampleCube.Label(SampleCube.fileDimension, files[place].name) : nil
    let metric = MetricIdentity(bucket: focus.bucket, name: focus.name, typeName: focus.typeName)
    var labels: [SampleCube.Label] = []
    try files[place].forEachBatch(of: number) { batch, catalogue in
      guard let wanted = catalogue.knownNumber(of: metric) else { return }
      for sample in batch.samples where sample.metric == wanted {
        labels.removeAll(keepingCapacity: true)
        if let file { labels.append(file) }
        var number: Double?
        SampleValues.forEach(of: sample, in: batch) { field, value in
          switch value {
          case .number(let value) where field == focus.field: number = value
          case .text(let text) where field != focus.field: labels.append(.init(field ?? "", text))
          case .bool(let claim) where field != focus.field:
            labels.append(.init(field ?? "", claim ? "true" : "false"))
          case .number, .text, .bool, .null: break
          }
        }
        if let number { cube.record(number, at: sample.time, labels: labels) }
      }
    }
  }
}
