import Aggregation
import Codecs
import DashboardCore
import History
import Platform

/// The statistics of a stretch of time in words.
struct HistoryStatistics {
  /// One figure with its name.
  struct Part: Hashable {
    let name: String
    let value: String
  }

  let summary: HistorySummary
  let unit: ValueUnit
  /// Percentiles 50, 95 and 99 of the samples themselves; `nil` where only the bins of the index are known.
  var exact: [Quantile]?
  /// True if they are written with all digits, for a copy.
  var isCopied = false

  /// In the order of their weight.
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
  /// The statistics of a stretch of the focus: of the samples themselves where the live store still has all of them, as Live
  /// shows them, else from the bins of the index.
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
