import Codecs
import DashboardCore
import Platform
import Resilience
import Sync
import TerminalUI

// The breaker, runs and intervals.
extension SyncView {
  // MARK: Breaker

  func drawBreaker(into buffer: inout Buffer) {
    let breaker = engine.breaker?.value
    drawPanel(
      "Breaker", trailing: engine.breakerName(at: now).uppercased(), in: layout[.breaker], into: &buffer)
    let area = layout.inner(of: layout[.breaker])
    guard layout.step <= .stacked else { return write([breakerLine], in: area, into: &buffer) }
    guard let breaker else {
      return write([Line("closed; no 429 so far", theme[.dim])], in: area, into: &buffer)
    }
    var lines = [breakerLine]
    let width = max(6, min(24, area.width - 24))
    if let bar = breakerBar(since: engine.openedAt, width: width, .tenths) { lines.append(bar) }
    let limits = engine.events["RateLimitHit"] ?? 0
    lines += [
      card("429 in a row", "\(max(inRow(breaker), engine.limits)), opens at \(breaker.threshold)"),
      card("next backoff", nextBackoff(breaker)),
      card("refused while open", NumberFormat.count(breaker.refusedCalls)),
      card(
        "opened",
        "\(EngineFormatter.count(engine.opens, "time")), \(EngineFormatter.count(limits, "answer")) 429"
      ),
    ]
    if breaker.consecutive > 0 || engine.opens > 0 || breaker.byHand {
      lines.append(card("changed last", breaker.byHand ? "by hand" : "by rule"))
    }
    write(lines, in: area, into: &buffer)
  }

  var breakerLine: Line {
    guard let breaker = engine.breaker?.value else {
      return [Span("breaker ", theme[.dim]), Span("closed", theme[.good])]
    }
    var line: Line = [Span("breaker ", theme[.dim])]
    line.spans += breakerState.spans
    line.append("  \(inRow(breaker))/\(breaker.threshold)", theme[.dim])
    return line
  }

  /// The number of consecutive 429s; an open breaker has reached its threshold, even though it counts one less so that
  /// a single one reopens it.
  private func inRow(_ breaker: SyncBreaker) -> Int {
    breaker.isOpen ? max(breaker.threshold, breaker.consecutive) : breaker.consecutive
  }

  private func nextBackoff(_ breaker: SyncBreaker) -> String {
    let backoff = engine.configuration.breaker.backoff
    let seconds = min(backoff.maximum / .seconds(1), backoff.base / .seconds(1) * breaker.multiplier)
    return
      "\(DurationFormat.text(seconds)) (multiplier \(NumberFormat.text(breaker.multiplier, decimals: 0)))"
  }

  private func card(_ name: String, _ value: String) -> Line { fact(name, value, width: 19) }

  // MARK: Runs

  func drawRuns(into buffer: inout Buffer) {
    drawPanel(
      "Runs", trailing: "intervals: last, mean", pane: .runs, in: layout[.runs], into: &buffer)
    let area = layout.inner(of: layout[.runs])
    let intervals = SyncMetricsOrder.names.compactMap { name -> Line? in
      guard let tally = engine.intervals[name] else { return nil }
      return [
        Span(name.padding(to: 15), theme[.dim]),
        Span(DurationFormat.text(tally.last / 1000).padding(to: 8), theme[.value]),
        Span(DurationFormat.text(tally.sum / 1000 / Double(max(1, tally.count))), theme[.dim]),
      ]
    }
    let room = max(1, area.height - intervals.count)
    let runs = engine.runs.suffix(room).reversed().map { run -> Line in
      let value = run.value
      let look: Role = value.status == .success ? .good : value.status == .failed ? .alert : .warning
      return [
        Span("\(zone.time(run.time)) ", theme[.dim]), Span(value.status.rawValue.padding(to: 8), theme[look]),
        Span(
          "\(signs.above)\(value.pushed) \(signs.below)\(value.pulled) \(DurationFormat.text(value.durationMs / 1000)) ",
          theme[.text]),
        Span(value.error ?? (value.bootstrap ? "bootstrap" : ""), theme[.dim]),
      ]
    }
    write(runs + intervals, in: area, into: &buffer)
  }
}

/// The order of intervals: the whole run, then its steps.
private enum SyncMetricsOrder {
  static let names = ["FullSync", "HealthCheck", "FlushMutations", "PullChanges", "BootstrapFetch"]
}
