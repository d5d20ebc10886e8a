import Codecs
import JSONLines
import Platform

/// Finds the JSON that a payload was read from, by its source; see ``PayloadArchive/Payload/source``.
struct OriginalAccumulator: Sendable {
  /// The payload that is wanted.
  let source: String
  /// Its records, in their order.
  private var found: [[UInt8]] = []

  init(source: String) { self.source = source }
}

extension OriginalAccumulator: BlockAccumulator {
  /// The name of the metric that keeps each payload as it was read.
  private static let metric = "payload.json"

  var empty: Self { Self(source: source) }

  mutating func add(_ batch: SampleBatch, _ catalogue: MetricCatalogue, at place: BatchPlace) {
    for sample in batch.samples where sample.kind == .object {
      let metric = catalogue[sample.metric]
      guard metric.bucket == PayloadArchive.bucket, metric.name == Self.metric else { continue }
      let json = batch.payload(of: sample)
      let isWanted = json.withUnsafeBytes { bytes in
        RecordedFigure(bytes)?.source.map {
          RecordedFigure.group(ofSource: $0.string) == RecordedFigure.group(ofSource: source)
        } ?? false
      }
      if isWanted { found.append(Array(json)) }
    }
  }

  mutating func merge(_ next: Self, file: Int) { found += next.found }

  var outcome: [UInt8]? {
    var pieces = OriginalPieces()
    for json in found {
      if let whole = pieces.take(json) { return Array(whole.compactText.utf8) }
    }
    return nil
  }
}

extension HistoryStore {
  /// The JSON that a payload was read from; `nil` if the files do not keep it.
  ///
  /// - Throws: `IndexPass.Failure` if it is cancelled, otherwise the system error.
  package func original(of query: OriginalQuery) throws -> [UInt8]? {
    try gathered(
      in: \.incrementalOriginal, OriginalAccumulator(source: query.source),
      in: query.time..<query.time.nextUp, isWanted: { $0.source == query.source })
  }
}
