import Aggregation
import Codecs

extension HistogramGrid {
  /// The share of samples that may lie beyond the last regular row: an outlier must not squeeze all others into one
  /// row, least of all where rows are few.
  private static func tail(_ rows: Int) -> Double { rows < 8 ? 0.025 : 0.002 }

  /// Chooses the grid for some bins.
  ///
  /// - Parameters:
  ///   - bins: All compared samples, in any order.
  ///   - rows: Maximum number of rows, at least 3.
  init(_ scale: Scale, for bins: [HistogramBin], rows: Int) {
    let rows = max(3, rows)
    let bins = bins.filter { $0.count > 0 }.sorted { ($0.lower, $0.upper) < ($1.lower, $1.upper) }
    switch scale {
    case .linear: self = Self.linear(bins, rows)
    case .logarithmic: self = Self.logarithmic(bins, rows) ?? Self.linear(bins, rows)
    case .recorded: self = Self.recorded(bins, rows) ?? Self.linear(bins, rows)
    }
  }

  // MARK: Rows of equal width

  private static func linear(_ bins: [HistogramBin], _ rows: Int) -> HistogramGrid {
    guard let reach = reach(bins, tail: tail(rows)) else { return HistogramGrid(scale: .linear, rows: []) }
    var (low, high) = (reach.lowerBound, reach.upperBound)
    if low > 0, low < high * 0.6 { low = 0 }
    // A single narrow bin counts as one value.
    if high - low <= 1e-3 * max(low.magnitude, high.magnitude) {
      low = low == high || low > 0 ? low : high
      high = low
    }
    if low == high { (low, high) = low == 0 ? (0, 1) : (min(0, low * 2), max(0, high * 2)) }
    // The narrowest rows that fit, besides the open one.
    let scales = stride(from: rows, through: 1, by: -1).lazy.map { NiceScale.range(low...high, ticks: $0) }
    let found = scales.first { range, step in
      step > 0 && (range.upperBound - range.lowerBound) / step <= Double(rows - 1) + 1e-6
    }
    guard let (range, step) = found, range.lowerBound.isFinite, range.upperBound.isFinite else {
      return HistogramGrid(scale: .linear, rows: [Row(lower: -.infinity, upper: .infinity)])
    }
    let first = (range.lowerBound / step).rounded()
    let count = max(1, min(Double(rows), ((range.upperBound - range.lowerBound) / step).rounded()))
    let edges = (0...Int(count)).map { multiple(first + Double($0), of: step) }
    return HistogramGrid(scale: .linear, edges: edges, bins)
  }

  /// A multiple as the nearest double of its decimal number: three tenths are 0.3 and not slightly more.
  private static func multiple(_ number: Double, of step: Double) -> Double {
    step < 1 && step > 1e-15 ? number / (1 / step).rounded() : number * step
  }

  /// From the smallest value to the one that all but a few do not exceed.
  private static func reach(_ bins: [HistogramBin], tail: Double) -> ClosedRange<Double>? {
    guard let first = bins.first else { return nil }
    let count = bins.reduce(0.0) { $0 + Double($1.count) }
    var (upTo, high) = (0.0, first.upper)
    for bin in bins where upTo <= count * (1 - tail) {
      upTo += Double(bin.count)
      high = max(high, bin.upper)
    }
    return first.lower...high
  }

  /// Rows between edges, with open ones where samples lie beyond.
  private init(scale: Scale, edges: [Double], _ bins: [HistogramBin]) {
    guard let first = edges.first, let last = edges.last, edges.count > 1 else {
      self.init(scale: scale, rows: [Row(lower: -.infinity, upper: .infinity)])
      return
    }
    var rows = zip(edges, edges.dropFirst()).map { Row(lower: $0, upper: $1) }
    if bins.contains(where: { $0.middle < first }) {
      rows.insert(Row(lower: -.infinity, upper: first), at: 0)
    }
    // The last row is always open, so that future samples have a row.
    rows.append(Row(lower: last, upper: .infinity))
    self.init(scale: scale, rows: rows)
  }

  // MARK: Rows of growing width

  /// Round numbers within a decade, from many to few.
  private static let decades: [[Double]] = [
    [1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 3, 5], [1, 2, 5], [1, 3], [1],
  ]

  /// `nil` if a relevant value is not positive and has no logarithm.
  private static func logarithmic(_ bins: [HistogramBin], _ rows: Int) -> HistogramGrid? {
    let positive = bins.filter { $0.lower > 0 }
    guard let low = positive.first?.lower, let high = positive.map(\.upper).max(), low < high,
      low >= 1e-300, high <= 1e300
    else { return nil }
    for decade in decades {
      let edges = edges(decade, from: low, to: high, limit: rows)
      if let edges { return HistogramGrid(scale: .logarithmic, edges: edges, bins) }
    }
    // More decades than rows: several decades per row.
    for decadesARow in [2, 5, 10, 20, 50, 100, 200, 500] {
      let first = decade(of: low) / decadesARow - 1
      let last = decade(of: high) / decadesARow + 1
      guard last - first < rows else { continue }
      let edges = (first...last).map { power(max(-307, min(307, $0 * decadesARow))) }
      return HistogramGrid(scale: .logarithmic, edges: Array(Set(edges)).sorted(), bins)
    }
    return nil
  }

  /// The edges from the last one not above `low` to the first one not below `high`; `nil` if there are too many.
  private static func edges(_ numbers: [Double], from low: Double, to high: Double, limit: Int) -> [Double]? {
    var exponent = decade(of: low)
    var edges: [Double] = []
    while edges.last.map({ $0 < high }) ?? true {
      for number in numbers where edges.last.map({ $0 < high }) ?? true {
        let edge = exponent < 0 ? number / power(-exponent) : number * power(exponent)
        if edge <= low { edges = [edge] } else { edges.append(edge) }
        if edges.count > limit { return nil }
      }
      exponent += 1
    }
    return edges
  }

  /// The exponent of the largest power of ten that is not above a number from 1e-300 to 1e300.
  private static func decade(of value: Double) -> Int {
    var exponent = 0
    while exponent > -301, power(exponent) > value { exponent -= 1 }
    while exponent < 301, power(exponent + 1) <= value { exponent += 1 }
    return exponent
  }

  private static func power(_ exponent: Int) -> Double {
    let power = (0..<exponent.magnitude).reduce(1.0) { power, _ in power * 10 }
    return exponent < 0 ? 1 / power : power
  }

  // MARK: Recorded bins

  /// `nil` if there are more bins than rows, or if bins overlap.
  private static func recorded(_ bins: [HistogramBin], _ rows: Int) -> HistogramGrid? {
    var found: [Row] = []
    for bin in bins {
      let row = Row(lower: bin.lower, upper: bin.upper > bin.lower ? bin.upper : bin.lower.nextUp)
      if let last = found.last {
        if last == row { continue }
        guard last.upper <= row.lower else { return nil }
      }
      found.append(row)
      guard found.count <= rows else { return nil }
    }
    return found.isEmpty ? nil : HistogramGrid(scale: .recorded, rows: found)
  }
}
