import Codecs
import JSONLines
import Platform

/// Finds the JSON that a payload was read from, by its source; see ``PayloadArchive/Payload/source``.
struct OriginalAccumulator: Sendable {
  /// The payload that is wanted.
  let source: String
  private(set) var outcome: [UInt8]?

  init(source: String) { self.source = source }
}

extension OriginalAccumulator: BlockAccumulator {
  /// The name of the metric that keeps each payload as it was read.
  private static let metric = "payload.json"

  var empty: Self { Self(source: source) }

  mutating func add(_ batch: SampleBatch, _ catalogue: MetricCatalogue, at place: BatchPlace) {
    guard outcome == nil else { return }
    for sample in batch.samples where sample.kind == .object {
      let metric = catalogue[sample.metric]
      guard metric.bucket == PayloadArchive.bucket, metric.name == Self.metric else { continue }
      let json = batch.payload(of: sample)
      let isWanted = json.withUnsafeBytes { bytes in
        RecordedFigure(bytes)?.source.map { Self.isSame($0.string, source) } ?? false
      }
      if isWanted {
        outcome = Array(json)
        return
      }
    }
  }

  /// The same content under another file name is the same payload.
  private static func isSame(_ source: String, _ other: String) -> Bool {
    guard let hash = RecordedFigure.hash(ofSource: source), !hash.isEmpty else { return source == other }
    return hash == RecordedFigure.hash(ofSource: other)
  }

  mutating func merge(_ next: Self, file: Int) { outcome = outcome ?? next.outcome }
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
