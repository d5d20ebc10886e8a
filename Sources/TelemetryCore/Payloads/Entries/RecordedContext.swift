import Codecs
import Essentials
import MisterMetricsCore

/// The context shared by all figures of a payload, and the JSON of each.
///
/// A figure has what is its own alone; the payload's document has the rest, once for all of them.
/// Writes what Foundation's encoder writes for ``PayloadHistogram`` and ``PayloadScalar``, byte for byte but many
/// times as fast: ten thousand payloads have half a million figures.
struct RecordedContext {
  private static let histogramType = ValueEncoder.typeName(of: PayloadHistogram.self)
  private static let scalarType = ValueEncoder.typeName(of: PayloadScalar.self)

  private let time: Date
  private let version: String
  private let source: [UInt8]

  init(_ document: PayloadDocument, at time: Date, source: RecordedSource) {
    self.time = time
    version = document.appVersion
    self.source = Array(#""source":"\#(source.reference)","unit":"#.utf8)
  }

  /// The entry of a figure.
  func entry(of figure: PayloadFigure) -> MetricEntry {
    var json: [UInt8] = []
    json.reserveCapacity(Self.room(for: figure))
    json.append(UInt8(ascii: "{"))
    let version = figure.applicationVersion ?? ""
    if version != self.version {
      JSONWriter.append(#""appVersion":"#, to: &json)
      JSONWriter.append(text: version, to: &json)
      json.append(UInt8(ascii: ","))
    }
    if case .bins(let bins) = figure.value { Self.append(bins, to: &json) }
    json += source
    JSONWriter.append(text: figure.unit, to: &json)
    let type: String
    switch figure.value {
    case .bins: type = Self.histogramType
    case .number(let number):
      type = Self.scalarType
      Self.append(#","value":"#, number, to: &json)
    }
    json.append(UInt8(ascii: "}"))
    return MetricEntry(
      timestamp: time,
      metric: AnyMetric(name: figure.name, bucket: PayloadMetrics.bucket, valueTypeString: type),
      value: Data(json))
  }

  /// Estimated bytes of a figure.
  private static func room(for figure: PayloadFigure) -> Int {
    guard case .bins(let bins) = figure.value else { return 128 }
    return 128 + 64 * bins.count
  }

  private static func append(_ bins: [TimeHistogram.Bin], to json: inout [UInt8]) {
    JSONWriter.append(#""bins":["#, to: &json)
    for (index, bin) in bins.enumerated() {
      JSONWriter.append(index == 0 ? #"{"count":"# : #",{"count":"#, to: &json)
      json += bin.count.description.utf8
      append(#","end":"#, bin.end, to: &json)
      append(#","start":"#, bin.start, to: &json)
      json.append(UInt8(ascii: "}"))
    }
    JSONWriter.append("],", to: &json)
  }

  private static func append(_ key: StaticString, _ number: Double, to json: inout [UInt8]) {
    JSONWriter.append(key, to: &json)
    JSONWriter.append(number: number, to: &json)
  }
}
