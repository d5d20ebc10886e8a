import Codecs
import Platform
import Resilience
import Sync
import TerminalUI

// The breaker, the queue, runs and intervals.
extension SyncView {
  // MARK: Breaker

  func drawBreaker(into buffer: inout Buffer) {
    let breaker = engine.breaker?.value
    drawPanel(
      "Breaker", trailing: breakerName.uppercased(), footer: driven("b reset"),
      in: layout.breaker, into: &buffer)
    let area = layout.inner(of: layout.breaker)
    guard layout.step <= .stacked else { return write([breakerLine], in: area, into: &buffer) }
    guard let breaker else {
      return write([Line("closed; no 429 so far", theme[.dim])], in: area, into: &buffer)
    }
    var lines = [breakerLine]
    if let countdown, let began = engine.openedAt, let until = engine.openUntil, until > began {
      let share = max(0, min(1, 1 - countdown / (until - began)))
      let width = max(6, min(24, area.width - 24))
      let filled = Int(share * Double(width))
      lines.append(
        [
          Span(String(repeating: signs.barFull, count: filled), theme[.warning]),
          Span(String(repeating: signs.barEmpty, count: width - filled), theme[.dim]),
          Span(" half-open at \(zone.time(until, .tenths))", theme[.text]),
        ])
    }
    let limits = engine.events["RateLimitHit"] ?? 0
    lines += [
      words("429 in a row", "\(inRow(breaker)) of \(breaker.threshold)"),
      words("next backoff", nextBackoff(breaker)),
      words("refused while open", NumberFormat.count(breaker.refusedCalls)),
      words(
        "opened",
        "\(EngineFormatter.count(engine.opens, "time")), \(EngineFormatter.count(limits, "answer")) 429"
      ),
    ]
    if breaker.consecutive > 0 || engine.opens > 0 || breaker.byHand {
      lines.append(words("changed last", breaker.byHand ? "by hand" : "by rule"))
    }
    write(lines, in: area, into: &buffer)
  }

  /// `closed`, `open` or `half-open`: once the backoff is over the next run is the probe, whatever was recorded last.
  private var breakerName: String {
    guard let breaker = engine.breaker?.value else { return "closed" }
    if engine.isBreakerOpen(at: now) { return "open" }
    return breaker.state == "open" || breaker.state == "halfOpen" ? "half-open" : breaker.state
  }

  var breakerLine: Line {
    guard let breaker = engine.breaker?.value else {
      return [Span("breaker ", theme[.dim]), Span("closed", theme[.good])]
    }
    let (name, isOpen) = (breakerName, engine.isBreakerOpen(at: now))
    var line: Line = [
      Span("breaker ", theme[.dim]),
      Span(
        isOpen ? name.uppercased() : name,
        theme[isOpen ? .alert : name == "closed" ? .good : .warning].adding(.bold)),
    ]
    if let countdown { line.append(" \(DurationFormat.text(countdown)) left", theme[.value]) }
    line.append("  \(inRow(breaker))/\(breaker.threshold)", theme[.dim])
    return line
  }

  /// How many 429s in a row; an open breaker has had all of them, though it counts one less, so that one more opens it again.
  private func inRow(_ breaker: SyncBreaker) -> Int {
    engine.isBreakerOpen(at: now) ? max(breaker.threshold, breaker.consecutive) : breaker.consecutive
  }

  private func nextBackoff(_ breaker: SyncBreaker) -> String {
    let backoff = engine.configuration.breaker.backoff
    let seconds = min(backoff.maximum / .seconds(1), backoff.base / .seconds(1) * breaker.multiplier)
    return
      "\(DurationFormat.text(seconds)) (multiplier \(NumberFormat.text(breaker.multiplier, decimals: 0)))"
  }

  private func words(_ name: String, _ value: String) -> Line {
    [Span(name.padding(to: 19), theme[.dim]), Span(value, theme[.value])]
  }

  // MARK: Queue

  func drawQueue(into buffer: inout Buffer) {
    let oldest =
      engine.queue.map { Timestamp($0.createdAt) }.min().map {
        "oldest \(DurationFormat.text(max(0, now - $0)))"
      } ?? ""
    drawPanel(
      "Queue \(NumberFormat.count(engine.pending))", trailing: oldest,
      footer: driven("a queue a change  C clear"),
      pane: .queue, in: layout.queue, into: &buffer)
    let area = layout.inner(of: layout.queue)
    guard layout.step <= .stacked else { return write([queueLine], in: area, into: &buffer) }
    let room = max(0, area.height - 1)
    var lines = [queueLine]
    // More may wait than the record names.
    let (changes, unnamed) = (model.changes, max(0, engine.pending - engine.queue.count))
    let rows = changes.count + min(unnamed, 1) > room ? max(0, room - 1) : room
    let selected = state.pane == .queue ? model.selectedChange : nil
    let first = Table.offset(showing: selected, of: changes.count, height: rows, from: 0)
    for (place, change) in changes.enumerated().dropFirst(first).prefix(rows) {
      lines.append(line(change, isDead: place >= engine.queue.count, isSelected: place == selected))
    }
    let more = max(0, changes.count - first - rows) + unnamed
    if more > 0 { lines.append(Line("\(signs.ellipsis) \(NumberFormat.count(more)) more", theme[.dim])) }
    write(lines, in: area, into: &buffer)
  }

  var queueLine: Line {
    let depths = engine.depths.suffix(20).map { Optional(Double($0.value)) }
    let peak = engine.depths.map(\.value).max() ?? 0
    let done = engine.outcomes[.acknowledged] ?? 0
    let dead = engine.outcomes[.dead] ?? 0
    var line: Line = [
      Span("queue \(NumberFormat.count(engine.pending)) ", theme[.text]),
      Span(Sparkline(depths, theme: theme).text(width: min(20, depths.count)), theme[.series1]),
      Span(" max \(NumberFormat.count(peak))  done \(NumberFormat.count(done))", theme[.dim]),
    ]
    if dead > 0 { line.append("  dead \(NumberFormat.count(dead))", theme[.alert]) }
    if engine.conflicts > 0 {
      line.append("  conflicts \(NumberFormat.count(engine.conflicts))", theme[.warning])
    }
    return line
  }

  /// What a change waits for, or what became of it.
  private func fate(_ mutation: SyncMutation) -> String {
    if mutation.state == .sent, engine.phase == .pushing { return "sent" }
    if let parent = mutation.waitsFor { return "waits for \(parent)" }
    let due = mutation.notBefore.map { Timestamp($0) }.flatMap {
      $0 > now ? "again in \(DurationFormat.text($0 - now)): " : nil
    }
    return mutation.lastError.map { (due ?? "") + $0 } ?? "waits"
  }

  /// The column of the kinds: no wider than those that are there need it.
  private var kindWidth: Int {
    min(24, (engine.queue.prefix(100) + engine.dead.suffix(100)).map(\.kind.count).max() ?? 0) + 1
  }

  private func line(_ mutation: SyncMutation, isDead: Bool, isSelected: Bool) -> Line {
    let age = DurationFormat.text(max(0, now - Timestamp(mutation.createdAt)))
    return [
      Span(isSelected ? signs.selected : state.pane == .queue ? " " : "", theme[.accent]),
      Span(String(mutation.id.suffix(5)).padding(to: 6), theme[.dim]),
      Span(mutation.operation.padding(to: 7), theme[.text]),
      Span(mutation.kind.padding(to: kindWidth), theme[.text]),
      Span("\(ValueUnit.bytes.text(Double(mutation.bytes)))B".padding(to: 6), theme[.dim]),
      Span(age.padding(to: 7), theme[.dim]),
      Span(mutation.attempts > 0 ? "try \(mutation.attempts) " : "", theme[.warning]),
      Span(
        isDead ? "given up: \(mutation.lastError ?? "no attempt is left")" : fate(mutation),
        theme[isDead ? .alert : .text]),
    ]
  }

  // MARK: Runs

  func drawRuns(into buffer: inout Buffer) {
    drawPanel(
      "Runs", trailing: "intervals: last, mean", footer: driven("B branch here"), pane: .runs,
      in: layout.runs, into: &buffer)
    let area = layout.inner(of: layout.runs)
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

/// The order in which intervals are listed: the whole run, then its steps.
private enum SyncMetricsOrder {
  static let names = ["FullSync", "HealthCheck", "FlushMutations", "PullChanges", "BootstrapFetch"]
}
