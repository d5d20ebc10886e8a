import Aggregation
import Codecs
import JSONLines

/// A histogram of a payload as recorded (`PayloadHistogram` of the library Telemetry).
struct RecordedHistogram {
  /// The type name in the lines.
  static let typeName = "PayloadHistogram"

  /// The counted unit.
  enum Kind: String {
    /// Samples by their times, in milliseconds.
    case times = "ms"
    /// Percentages of the time by network signal bars.
    case bars
  }

  /// Labels that distinguish the histograms of one metric.
  struct LabelSet: Hashable {
    var version = ""
    var isSimulated = false
    var isMixed = false
  }

  let kind: Kind
  let labels: LabelSet
  /// The bins, in milliseconds or bars.
  let bins: [HistogramBin]
  /// The payload's hash; `nil` if it was not recorded.
  let payloadHash: String?

  /// Reads a value; `nil` if it is not a histogram or has another unit.
  init?(_ json: ArraySlice<UInt8>) {
    let read = json.withUnsafeBytes { bytes -> Self? in RecordedFigure(bytes).flatMap { Self($0) } }
    guard let read else { return nil }
    self = read
  }

  private init?(_ figure: RecordedFigure) {
    guard let unit = figure.unit?.string, let kind = Kind(rawValue: unit), figure.bins != nil else {
      return nil
    }
    self.kind = kind
    labels = LabelSet(
      version: figure.version?.string ?? "", isSimulated: figure.isSimulated, isMixed: figure.isMixed)
    bins = figure.readBins().map { bin in
      HistogramBin(
        lower: bin.start, upper: PayloadGrid.upperEdge(start: bin.start, end: bin.end), count: bin.count)
    }
    payloadHash = figure.source.flatMap { RecordedFigure.hash(ofSource: $0.string) }.map(String.init)
  }
}
