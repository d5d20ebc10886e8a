package import Aggregation
import Codecs
import DashboardCore
import Platform

// The description of the Live screen.
extension LiveScreen {
  /// The current problem, and the content of the focused pane.
  package var description: String {
    let about =
      switch state.pane {
      case .tree: listed
      case .chart: [selected?.figures, selected?.course].compactMap(\.self).joined(separator: ". ")
      case .comparison: compared
      case .events: happened
      }
    let sentences = [AlertSentence(session: session).spoken, session.skewText ?? "", about]
    return sentences.filter { !$0.isEmpty }.joined(separator: ". ") + "."
  }

  /// The focused metric over the window.
  private var selected: SeriesDescription? {
    guard let focus = state.content.focus else { return nil }
    let quantiles = focus.window.quantiles
    let isWhole = quantiles.count == LiveFocus.percentiles.count
    return SeriesDescription(
      identity: focus.identity, unit: session.unit(of: focus.identity), summary: focus.window,
      median: isWhole ? quantiles[0].value : nil,
      p95: isWhole ? quantiles[3].value : nil, parts: focus.columns)
  }

  private var listed: String {
    // Silent metrics share a row but still count as metrics.
    let count =
      state.rowFilter.isEmpty
      ? session.store.metricCount.metrics
      : state.content.listedMetrics
    let filter = state.filter.isEmpty ? "" : " that match «\(state.filter)»"
    let order = state.isInverted ? ", smallest first" : ""
    let list =
      "\(NumberFormat.grouped(count)) \(count == 1 ? "metric" : "metrics")\(filter)"
      + (state.sort == .unusual ? ", \(state.sort.title)\(worst)" : " by \(state.sort.title)\(order)")
    return [list, selected.map { "selected is \($0.figures)" }].compactMap(\.self).joined(separator: ", ")
  }

  /// The first rows with the reasons for their ranks: `: api.checkout_ms limit, db.orders_ms 172×`.
  private var worst: String {
    let first = state.content.rows.lazy.compactMap { row in
      row.series.flatMap { id in reason(of: row, state.content.stats[id]?.stats ?? RowStats()) }.map {
        "\(row.label) \($0.words)"
      }
    }
    let named = first.prefix(3).joined(separator: ", ")
    return named.isEmpty ? "" : ": \(named)"
  }

  private var compared: String {
    guard let focus = state.content.focus, let now = selected?.p95, focus.hour.quantiles.count > 3 else {
      return "There are no numbers to compare"
    }
    let past = focus.hour.quantiles[3].value
    let unit = session.unit(of: focus.identity)
    let change =
      past > 0 && now >= 0 ? ", \(NumberFormat.text((now / past - 1) * 100, decimals: 0)) percent" : ""
    let length = DurationFormat.text(session.window)
    return "95th percentile of \(focus.identity.fullName): \(unit.text(now)) in the last \(length), "
      + "\(unit.text(past)) in the \(focus.isAgainstBefore ? "\(focus.hourText) before" : "last \(focus.hourText)")\(change)"
  }

  private var happened: String {
    let events = session.alerts.events
    guard let event = session.alertIndex.map({ events[$0] }) ?? events.first else { return "Nothing changed" }
    let which = session.alertIndex == nil ? "the newest" : "selected"
    return "\(events.count) \(events.count == 1 ? "change" : "changes"), \(which): "
      + "\(session.zone.moment(event.time, now: session.now)) \(event.subject) \(event.note)\(event.text)"
  }

  /// The metrics that pass the filter, in list order; silent ones, which share a row, individually.
  package var listedMetrics: [SeriesIdentity] {
    let listed = state.content.rows.compactMap { row in
      if case .series(let identity) = row.id { identity } else { nil }
    }
    let isFolded = state.content.rows.contains { $0.id == .idle }
    let quiet = isFolded ? state.order.idle.subtracting(listed) : []
    return listed + quiet.sorted { $0.isListed(before: $1) }
  }

  /// A metric with its figures in one line.
  package func figures(of identity: SeriesIdentity) -> String? {
    guard let id = session.store.id(of: identity) else { return identity.fullName }
    let stats = stats(of: id, columns: 1)
    var summary = stats.summary
    if case .number(let now) = stats.now { summary.last = now }
    let figures = SeriesDescription(
      identity: identity, unit: session.unit(of: identity), summary: summary, median: stats.p50?.value,
      p95: stats.p95?.value, parts: []
    ).figures
    return figures + (state.order.reasons[identity].map { ", \($0.words)" } ?? "")
  }
}
