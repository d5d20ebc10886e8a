import Aggregation
import Codecs
import Essentials
import Platform

/// The bounds of a family of histograms: the same for all its days and labels, so that they can be compared.
///
/// Both edges of each bin are bounds, so that the gap between two bins stays empty when a reader interpolates. Of too many
/// edges, half of those that remain have as many samples between them and half divide the tail: the high percentiles of
/// one device, among the slowest samples of all, need bounds there too.
struct OpenMetricsBounds {
  /// In ascending order.
  let edges: [Double]

  init(_ bins: [HistogramBin], limit: Int) {
    let all = Set(bins.flatMap { [$0.lower, $0.upper] }).sorted()
    guard all.count > limit, let first = all.first, let last = all.last else {
      edges = all
      return
    }
    var counts: [Double: Double] = [:]
    for bin in bins { counts[bin.upper, default: 0] += Double(bin.count) }
    let total = max(1, counts.values.reduce(0, +))
    var chosen = [first]
    var (below, reached) = (0.0, 0.0)
    for (number, edge) in all.enumerated().dropFirst().dropLast() {
      // The limit less the last edge.
      let left = limit - 1 - chosen.count
      guard left > 0 else { break }
      below += counts[edge] ?? 0
      let place = Self.place(of: below / total)
      guard place - reached >= (1 - reached) / Double(left + 1) || all.count - 1 - number <= left else {
        continue
      }
      chosen.append(edge)
      reached = place
    }
    edges = chosen + [last]
  }

  /// The share of all bounds below the share of samples, both from 0 to 1.
  private static func place(of share: Double) -> Double {
    let tail = share < 1 ? min(1, -log10(1 - share) / 4) : 1
    return share / 2 + tail / 2
  }
}

/// One histogram of a family, which counts everything up to each bound.
struct OpenMetricsCounts {
  private let bounds: OpenMetricsBounds
  /// By bound; the last ones lie above all.
  private var counts: [Int]
  private var sum = 0.0
  private var hasNegative = false

  init(_ bounds: OpenMetricsBounds) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.edges.count + 1)
  }

  mutating func add(_ bin: HistogramBin) {
    // The first bound that is not below the bin.
    var (low, high) = (0, bounds.edges.count)
    while low < high {
      let middle = (low + high) / 2
      if bounds.edges[middle] < bin.upper { low = middle + 1 } else { high = middle }
    }
    counts[low] = counts[low].addingSaturated(bin.count)
    sum += (bin.lower / 2 + bin.upper / 2) * Double(bin.count)
    if bin.lower < 0 { hasNegative = true }
  }

  /// Appends the lines of the histogram.
  func append(
    _ name: String, _ labels: [UInt8], factor: Double, isGauge: Bool, _ time: Timestamp,
    to output: inout [UInt8]
  ) {
    func line(_ ending: String, _ bound: String?, _ figure: some StringProtocol) {
      output += name.utf8
      output += ending.utf8
      if bound != nil || !labels.isEmpty { output.append(UInt8(ascii: "{")) }
      output += labels
      if let bound { output += "\(labels.isEmpty ? "" : ",")le=\"\(bound)\"".utf8 }
      if bound != nil || !labels.isEmpty { output.append(UInt8(ascii: "}")) }
      output += " \(figure) ".utf8
      ExportTime.appendUnixSeconds(time, to: &output)
      output.append(UInt8(ascii: "\n"))
    }
    var count = 0
    let texts = bounds.edges.map { Self.text(of: $0, factor) }
    for (place, text) in texts.enumerated() {
      count = count.addingSaturated(counts[place])
      // Of edges that are equal when written, the last.
      if place + 1 < texts.count, texts[place + 1] == text { continue }
      line("_bucket", text, "\(count)")
    }
    count = count.addingSaturated(counts[counts.count - 1])
    line("_bucket", "+Inf", "\(count)")
    // The standard requires a count if and only if there is a sum (OpenMetrics 1.0, Histogram, Text format).
    guard !hasNegative, (sum * factor).isFinite else { return }
    line(isGauge ? "_gcount" : "_count", nil, "\(count)")
    var figure: [UInt8] = []
    Decimals.append(sum * factor, to: &figure)
    line(isGauge ? "_gsum" : "_sum", nil, String(decoding: figure, as: UTF8.self))
  }

  /// A bound in the unit of the family; a thousandth is divided, so that 820 becomes 0.82.
  private static func text(of edge: Double, _ factor: Double) -> String {
    "\(factor < 1 ? edge / (1 / factor) : edge * factor)"
  }
}
