import Aggregation
import Codecs
import DashboardCore
import TelemetryCore

/// Formats the figures of a histogram.
struct HistogramFormatter {
  let unit: ValueUnit
  /// The sign before a margin of error: `±`.
  let plusMinus: String
  /// True if only bins of payloads are known, whose bounds are then shown.
  let hasBins: Bool
  /// True if the sides differ by more than chance.
  let isClear: Bool
  /// True to format figures with all their digits, for the clipboard.
  var isCopied = false

  private func figure(_ value: Double) -> String { isCopied ? unit.exactText(value) : unit.figure(value) }

  /// An average with its margin of error: `163 ±2.7`.
  func average(_ average: HistogramSide.Average?) -> String {
    guard let average else { return "-" }
    return "\(figure(average.value)) \(plusMinus)\(doubt(average.doubt))"
  }

  private func doubt(_ value: Double) -> String {
    var text = figure(Self.rounded(value))
    guard text.contains("."), text.allSatisfy({ $0.isNumber || $0 == "." }) else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// A margin of error has two significant digits.
  private static func rounded(_ doubt: Double) -> Double {
    guard doubt > 0, doubt.isFinite, doubt >= 1e-12, doubt < 1e15 else { return doubt }
    var scale = 1.0
    while doubt * scale < 10 { scale *= 10 }
    while doubt * scale >= 100 { scale /= 10 }
    return (doubt * scale).rounded() / scale
  }

  /// The best estimate and its bounds, as far as they fit: `354 350-400`.
  ///
  /// - Parameters:
  ///   - isStated: True if there are enough samples; otherwise only the possible range is shown.
  func quantile(
    _ quantile: Quantile?, spread: ClosedRange<Double>?, isStated: Bool, room: Int
  ) -> String {
    guard let quantile else { return "-" }
    guard isStated else {
      let range = spread.map { bounds($0.lowerBound, $0.upperBound) } ?? "-"
      return range.count < room ? "~" + range : "~" + figure(quantile.value)
    }
    let value = figure(quantile.value)
    guard hasBins, quantile.upper > quantile.lower else { return estimate(quantile) }
    let range = bounds(quantile.lower, quantile.upper)
    if value.count + 1 + range.count <= room { return "\(value) \(range)" }
    return range.count <= room ? range : "~" + value
  }

  /// A percentile of samples in a word, with `~` if it comes from a bin wider than the displayed precision.
  func estimate(_ quantile: Quantile) -> String {
    (hasBins ? "" : unit.estimateMark(of: quantile)) + figure(quantile.value)
  }

  private func bounds(_ lower: Double, _ upper: Double) -> String {
    let (low, high) = (figure(lower), figure(upper))
    return low == high ? low : "\(low)-\(high)"
  }

  /// `+66% !`: the change of a percentile; `~` where bounds and chance leave it open, `!` where it is beyond its limit.
  func change(_ percentile: HistogramFigures.Percentile, isOverLimit: Bool) -> String {
    guard percentile.b != nil else { return isOverLimit ? "!" : "" }
    let sign = isOverLimit ? " !" : ""
    guard isClear, percentile.isFound, percentile.isStatedA, percentile.isStatedB else { return "~" + sign }
    return change(percentile.a?.value, percentile.b?.value) + sign
  }

  /// The change of the averages: `+19%`, or `~` within their combined margin of error.
  func change(_ a: HistogramSide.Average?, _ b: HistogramSide.Average?) -> String {
    guard let a, let b else { return "" }
    let apart = (a.value - b.value).magnitude
    guard isClear, apart > (a.doubt * a.doubt + b.doubt * b.doubt).squareRoot() else { return "~" }
    return change(a.value, b.value)
  }

  /// `+75%`; the difference if the base is not above zero.
  func change(_ a: Double?, _ b: Double?) -> String {
    guard let a, let b else { return "" }
    if a == b { return "=" }
    guard isClear else { return "~" }
    if b > 0, (a / b - 1).isFinite { return NumberFormat.change(a / b - 1) }
    return (a > b ? "+" : "") + figure(a - b)
  }
}

extension ValueUnit {
  /// `~` if the true value might be displayed differently.
  func estimateMark(of quantile: Quantile) -> String {
    figure(quantile.lower) == figure(quantile.upper) ? "" : "~"
  }
}

extension HistogramFormatter {
  /// The name of an average, and how many days of both sides have no sample: `by day, 3 none`.
  func title(_ average: (method: AverageMethod, a: HistogramSide.Average?, b: HistogramSide.Average?))
    -> String
  {
    let empty = (average.a?.emptyDays ?? 0) + (average.b?.emptyDays ?? 0)
    return average.method.title + (empty > 0 ? ", \(NumberFormat.grouped(empty)) none" : "")
  }
}

extension AverageMethod {
  /// The name of the method.
  var title: String {
    switch self {
    case .pooled: "average"
    case .start: "by start"
    case .end: "by end"
    case .published: "by day"
    }
  }
}
