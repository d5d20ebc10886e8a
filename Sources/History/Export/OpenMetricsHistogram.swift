import Aggregation
import Codecs
import Platform

/// One histogram for OpenMetrics: the counts of all payloads with the same labels.
///
/// An OpenMetrics bucket counts everything up to a bound. Both edges of each bin are bounds, so that the gap between
/// two bins stays empty when a reader interpolates.
struct OpenMetricsHistogram {
  private let kind: RecordedHistogram.Kind
  /// In order of their upper edges.
  private var bins: [HistogramBin] = []
  /// The latest time of its payloads.
  private var time = Timestamp.distantPast

  init(_ kind: RecordedHistogram.Kind) {
    self.kind = kind
  }

  /// Adds a figure made by ``figure(of:at:)``, in order of the upper edges.
  mutating func add(_ figure: ArraySlice<UInt8>, upper: Double) {
    time = max(time, Timestamp(Double(bitPattern: Self.word(figure.prefix(8)))))
    guard figure.count == 24 else { return }
    let lower = Double(bitPattern: Self.word(figure.dropFirst(8).prefix(8)))
    let count = Int(truncatingIfNeeded: Self.word(figure.suffix(8)))
    // On the grid that devices use, bins with the same upper edge are the same bin.
    if let last = bins.last, last.upper == upper, last.lower == lower {
      let sum = Self.sum(last.count, count)
      bins[bins.count - 1] = HistogramBin(lower: lower, upper: upper, count: sum)
    } else {
      bins.append(HistogramBin(lower: lower, upper: upper, count: count))
    }
  }

  /// Appends the lines of the histogram.
  func append(_ name: String, _ labels: [UInt8], to output: inout [UInt8]) {
    var place = 0
    var count = 0
    for bound in bounds {
      while place < bins.count, bins[place].upper <= bound {
        count = Self.sum(count, bins[place].count)
        place += 1
      }
      append(name + "_bucket", labels, le: "\(bound / kind.divisor)", "\(count)", to: &output)
    }
    append(name + "_bucket", labels, le: "+Inf", "\(count)", to: &output)
    // The standard requires a count if and only if there is a sum (OpenMetrics 1.0, Histogram, Text format).
    guard let estimate else { return }
    append(name + kind.countSuffix, labels, le: nil, "\(count)", to: &output)
    var figure: [UInt8] = []
    Decimals.append(estimate, to: &figure)
    append(name + kind.sumSuffix, labels, le: nil, String(decoding: figure, as: UTF8.self), to: &output)
  }

  /// All edges in order; of edges that are equal when written, only the last.
  private var bounds: [Double] {
    var bounds: [Double] = []
    for edge in bins.flatMap({ [$0.lower, $0.upper] }).sorted() {
      if let last = bounds.last, last / kind.divisor == edge / kind.divisor { bounds.removeLast() }
      bounds.append(edge)
    }
    return bounds
  }

  /// The sum with each sample in the middle of its bin; `nil` if the standard does not allow one.
  private var estimate: Double? {
    guard bins.allSatisfy({ $0.lower >= 0 }) else { return nil }
    let sum = bins.reduce(0.0) { $0 + ($1.lower / 2 + $1.upper / 2) * Double($1.count) }
    return sum.isFinite ? sum / kind.divisor : nil
  }

  private func append(
    _ name: String, _ labels: [UInt8], le bound: String?, _ figure: String, to output: inout [UInt8]
  ) {
    output += name.utf8
    output.append(UInt8(ascii: "{"))
    output += labels
    if let bound { output += ",le=\"\(bound)\"".utf8 }
    output += "} \(figure) ".utf8
    ExportTime.appendUnixSeconds(time, to: &output)
    output.append(UInt8(ascii: "\n"))
  }

  private static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }
}

extension OpenMetricsHistogram {
  /// The parts of a bin besides its upper edge; only the time if there is no bin.
  static func figure(of bin: HistogramBin?, at time: Timestamp) -> [UInt8] {
    var words = [time.seconds.bitPattern]
    if let bin { words += [bin.lower.bitPattern, UInt64(bitPattern: Int64(bin.count))] }
    return words.withUnsafeBytes { Array($0) }
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { $0.count == 8 ? $0.loadUnaligned(as: UInt64.self) : 0 }
  }
}

extension RecordedHistogram.Kind {
  /// The type of the family; percentages are not counts that only increase.
  var familyType: String {
    switch self {
    case .times: "histogram"
    case .bars: "gaugehistogram"
    }
  }

  /// The unit of the family, with which its name ends.
  var unit: String {
    switch self {
    case .times: "seconds"
    case .bars: "bars"
    }
  }

  /// The help text of the family.
  var help: String {
    switch self {
    case .times: "Times in imported payloads; the sum is an estimate by the middle of each bin."
    case .bars:
      "Percents of the time in imported payloads; those of payloads with the same labels are summed."
    }
  }

  /// The suffix of the sample count.
  var countSuffix: String { self == .times ? "_count" : "_gcount" }

  /// The suffix of the sum.
  var sumSuffix: String { self == .times ? "_sum" : "_gsum" }

  /// Number of recorded units per unit of the family.
  fileprivate var divisor: Double { self == .times ? 1000 : 1 }
}
