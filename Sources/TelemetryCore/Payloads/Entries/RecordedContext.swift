import Codecs
import Essentials
import MisterMetricsCore

/// The context shared by all entries of a payload, and the JSON of each.
///
/// Writes what Foundation's encoder writes for ``PayloadHistogram`` and ``PayloadScalar``, byte for byte but many
/// times as fast: ten thousand payloads have half a million figures.
struct RecordedContext {
  private static let histogramType = ValueEncoder.typeName(of: PayloadHistogram.self)
  private static let scalarType = ValueEncoder.typeName(of: PayloadScalar.self)

  private let time: Date
  private let begin: [UInt8]
  private let endAndAfter: [UInt8]

  init(_ payload: Payload, at time: Date, source: RecordedSource) {
    self.time = time
    begin = Self.member(#","begin":"#, payload.timeStampBegin?.description ?? "")
    let isMixed =
      if case .metric(let metrics) = payload { metrics.includesMultipleApplicationVersions } else { false }
    endAndAfter =
      Self.member(#","end":"#, payload.timeStampEnd?.description ?? "")
      + Array(#","multipleVersions":\#(isMixed),"simulated":\#(payload.isSimulated)"#.utf8)
      + Self.member(#","source":"#, source.description)
  }

  /// The entry of a figure.
  func entry(of figure: PayloadFigure) -> MetricEntry {
    var json: [UInt8] = []
    json.reserveCapacity(begin.count + endAndAfter.count + Self.room(for: figure))
    JSONWriter.append(#"{"appVersion":"#, to: &json)
    JSONWriter.append(text: figure.applicationVersion ?? "", to: &json)
    json += begin
    if case .bins(let bins) = figure.value { Self.append(bins, to: &json) }
    json += endAndAfter
    JSONWriter.append(#","unit":"#, to: &json)
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

  /// Estimated bytes of the members that differ between figures.
  private static func room(for figure: PayloadFigure) -> Int {
    guard case .bins(let bins) = figure.value else { return 128 }
    return 128 + 64 * bins.count
  }

  private static func append(_ bins: [TimeHistogram.Bin], to json: inout [UInt8]) {
    JSONWriter.append(#","bins":["#, to: &json)
    for (index, bin) in bins.enumerated() {
      JSONWriter.append(index == 0 ? #"{"count":"# : #",{"count":"#, to: &json)
      json += bin.count.description.utf8
      append(#","end":"#, bin.end, to: &json)
      append(#","start":"#, bin.start, to: &json)
      json.append(UInt8(ascii: "}"))
    }
    json.append(UInt8(ascii: "]"))
  }

  private static func member(_ key: StaticString, _ text: String) -> [UInt8] {
    var json: [UInt8] = []
    JSONWriter.append(key, to: &json)
    JSONWriter.append(text: text, to: &json)
    return json
  }

  private static func append(_ key: StaticString, _ number: Double, to json: inout [UInt8]) {
    JSONWriter.append(key, to: &json)
    JSONWriter.append(number: number, to: &json)
  }
}
