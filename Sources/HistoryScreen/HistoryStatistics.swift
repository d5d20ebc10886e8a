import Aggregation
import Codecs
import DashboardCore
import History
import Platform

/// The statistics of a time range as text.
struct HistoryStatistics {
  /// One figure with its name.
  struct Part: Hashable {
    let name: String
    let value: String
  }

  let summary: HistorySummary
  let unit: ValueUnit
  /// Percentiles 50, 95 and 99 of the samples themselves; `nil` if only the bins of the index are known.
  var exact: [Quantile]?
  /// True if all digits are written, for a copy.
  var isCopied = false

  /// In order of importance.
  var parts: [Part] {
    func text(_ value: Double) -> String { isCopied ? unit.exactText(value) : unit.text(value) }
    func text(_ count: Int) -> String { isCopied ? String(count) : NumberFormat.grouped(count) }
    var parts = [Part(name: "n", value: text(summary.count))]
    for (name, quantile) in zip(["p50", "p95"], exact ?? summary.quantiles) {
      let isRough = summary.numbers < 20 || quantile.lower < quantile.upper
      parts.append(Part(name: name, value: isRough ? "~" + unit.text(quantile.value) : text(quantile.value)))
    }
    if let maximum = summary.maximum { parts.append(Part(name: "max", value: text(maximum))) }
    if let mean = summary.mean { parts.append(Part(name: "mean", value: text(mean))) }
    if let minimum = summary.minimum { parts.append(Part(name: "min", value: text(minimum))) }
    if summary.nulls > 0 { parts.append(Part(name: "null", value: text(summary.nulls))) }
    return parts
  }
}

extension HistoryScreen {
  /// The statistics of a time range of the focus, computed from the samples if the live store still has all of them, as
  /// on Live, and otherwise from the bins of the index.
  func statistics(
    _ summary: HistorySummary, of focus: SeriesIdentity, in range: Range<Timestamp>
  ) -> HistoryStatistics {
    var statistics = HistoryStatistics(summary: summary, unit: session.unit(of: focus))
    guard summary.numbers > 0, summary.numbers <= SeriesStore.exactLimit,
      let id = session.store.id(of: focus)
    else { return statistics }
    let known = session.store.summary(
      of: id, from: range.lowerBound.seconds, to: range.upperBound.seconds.nextDown,
      percentiles: [50, 95, 99])
    if known.isExact, known.moments.count == summary.numbers { statistics.exact = known.quantiles }
    return statistics
  }
}
