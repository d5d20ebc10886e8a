import Aggregation
import Codecs
import History

/// The statistics of a stretch of time in words.
struct HistoryStatistics {
  /// One figure with its name.
  struct Part: Hashable {
    let name: String
    let value: String
  }

  let summary: HistorySummary
  let unit: ValueUnit

  /// In the order of their weight.
  var parts: [Part] {
    var parts = [Part(name: "n", value: NumberFormat.grouped(summary.count))]
    for (name, quantile) in zip(["p50", "p95"], summary.quantiles) {
      parts.append(Part(name: name, value: (summary.numbers < 20 ? "~" : "") + unit.text(quantile.value)))
    }
    if let maximum = summary.maximum { parts.append(Part(name: "max", value: unit.text(maximum))) }
    if let mean = summary.mean { parts.append(Part(name: "mean", value: unit.text(mean))) }
    if let minimum = summary.minimum { parts.append(Part(name: "min", value: unit.text(minimum))) }
    if summary.nulls > 0 { parts.append(Part(name: "null", value: NumberFormat.grouped(summary.nulls))) }
    return parts
  }
}
