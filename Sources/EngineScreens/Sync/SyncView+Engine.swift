import Codecs
import DashboardCore
import Platform
import Sync
import SyncSimulation
import TerminalUI

// The current state of the engine: all states, their transitions, the cause, and possible next events.
extension SyncView {
  func drawEngine(into buffer: inout Buffer) {
    let area = layout.inner(of: layout[.engine])
    let isReading = screen.backlog > 0
    let since =
      isReading
      ? "\(NumberFormat.count(screen.backlog)) entries to read"
      : begun.map { "\(isProbing ? "probing, " : "")for \(DurationFormat.text(max(0, now - $0)))" } ?? ""
    drawPanel(
      "Sync engine", trailing: since, lesser: nextWords ?? "", pane: .engine, in: layout[.engine],
      into: &buffer)
    let spare = layout.hasBoxes ? area.height - SyncDiagram.height - (refusalLine.isEmpty ? 2 : 3) : 0
    var lines = whyLines(width: area.width, rows: 1 + max(0, spare))
    lines += [fireLine(width: area.width), refusalLine]
    if let collision = collisionLine(width: area.width) { lines.insert(collision, at: 0) }
    // The list of possible events takes precedence; if it fills the space, one line names the state.
    let isFull =
      state.isMaximised && SyncDiagram.height + lines.count - 3 + SyncEvent.Kind.allCases.count > area.height
    guard layout.hasBoxes, !isFull else {
      let states = layout.step == .stacked ? [pathLine] : []
      let rest = state.isMaximised ? whyLines(width: area.width) + eventLines : lines
      return write([stateLine] + states + rest, in: area, into: &buffer)
    }
    let height = SyncDiagram.height
    if state.isMaximised {
      lines = collisionLine(width: area.width).map { [$0] } ?? []
      // The recent transitions explain the state, too.
      if height + lines.count + SyncEvent.Kind.allCases.count < area.height {
        lines += whyLines(width: area.width)
      }
    }
    let light = theme.heat(role(of: engine.state), steps: 8).dropFirst().first ?? .plain
    SyncDiagram(engine: engine, theme: theme, light: light).draw(in: area, into: &buffer) { style(of: $0) }
    write(lines, in: area.inset(top: height), into: &buffer)
    if state.isMaximised { write(eventLines, in: area.inset(top: height + lines.count), into: &buffer) }
  }

  /// A probe does not change the state but may lead out of it.
  private var isProbing: Bool { engine.phase == .probing }

  private var begun: Timestamp? { isProbing ? engine.calledSince ?? engine.since : engine.since }

  /// The next external event, as reported by the simulation.
  private var nextWords: String? {
    guard let simulation = engine.simulation, let next = simulation.next, let at = engine.nextStepAt else {
      return nil
    }
    let isNow = engine.sleep(at: now) != nil
    return isNow ? "\(next), since \(zone.time(at))" : "next: \(next) \(zone.time(at))"
  }

  /// For every event of the table: possible now, or the reason why not.
  private var eventLines: [Line] {
    let outlook = engine.outlook(at: now)
    let events = SyncEvent.Kind.allCases.map { event -> Line in
      let reason = outlook.reason(against: event)
      let key = layout.needs.controls == .driven ? event.key.map(session.keyText) ?? "" : ""
      return [
        Span("  \(key.padding(to: 3))", theme[.key]),
        Span(event.words.padding(to: 24), theme[reason == nil ? .text : .dim]),
        Span(reason.map { "no: \($0)" } ?? "can happen", theme[reason == nil ? .good : .dim]),
      ]
    }
    return events
  }

  /// `RATE LIMITED 12.4s  retry in 17.6s ▓▓▓░░`.
  var stateLine: Line {
    var line = Line()
    // Where the header has no room for it.
    if layout.step >= .list, let simulation = engine.simulation {
      let sign = isRunning(simulation) ? signs.collapsed : signs.frozen
      line.append("\(sign)\(speedText(simulation)) ", theme[.accent])
    }
    line.append(SyncFormatter.name(engine.state).uppercased(), style(of: engine.state).adding(.bold))
    if layout.step < .tiny, let since = engine.since {
      line.append(" \(DurationFormat.text(max(0, now - since)))", theme[.dim])
    }
    if engine.phase == .probing { line.append("  probing", theme[.accent]) }
    if let progress = progressWords { line.append("  \(progress)", theme[.value]) }
    return line
  }

  private var progressWords: String? {
    guard let last = engine.transitions.last?.value else { return nil }
    switch engine.state {
    case .syncing: return last.synced.flatMap { synced in last.total.map { "\(synced) of \($0)" } }
    case .rateLimited: return engine.countdown(at: now).map { "retry in \(DurationFormat.text($0))" }
    // The state may have begun with an earlier failure than the latest one.
    case .error: return engine.trouble?.last.value.reason ?? last.message
    case .idle, .pulling: return nil
    }
  }

  /// `idle ━12▶ syncing ━11▶ pulling ━9▶ idle`, including transitions to failures.
  private var pathLine: Line {
    var line = Line()
    let path: [(SyncState.Kind, SyncState.Kind?)] = [
      (.idle, .syncing), (.syncing, .pulling), (.pulling, .idle),
    ]
    for (state, next) in path {
      line.append(
        SyncFormatter.name(state), state == engine.state ? style(of: state).adding(.bold) : theme[.text])
      if let next { line.append(" \(signs.horizontal)\(count(state, next))\(signs.collapsed) ", theme[.dim]) }
    }
    line.append("idle", theme[.text])
    for state in [SyncState.Kind.rateLimited, .error] {
      let times = SyncState.Kind.allCases.reduce(0) { $0 + ($1 == state ? 0 : count($1, state)) }
      line.append(
        "   \(SyncFormatter.name(state)) ",
        state == engine.state ? style(of: state).adding(.bold) : theme[.text]
      )
      line.append("\(times)", theme[.dim])
    }
    return line
  }

  private func count(_ from: SyncState.Kind, _ to: SyncState.Kind) -> Int {
    engine.arrows[EngineState.Arrow(from: from, to: to)]?.count ?? 0
  }

  /// The decision that led to the current state, over the available rows.
  private func whyLines(width: Int, rows: Int = 1) -> [Line] {
    let head = "why here  "
    guard let cause = engine.cause else {
      return [[Span(head, theme[.dim]), Span("nothing was recorded before", theme[.dim])]]
    }
    let time = "\(zone.time(cause.time, .tenths)) "
    let words = SyncFormatter.sentence(cause.value, arrow: signs.arrow)
    let indent = head.count + time.count
    let texts = rows > 1 ? TextWrap.lines(words, width: width - indent) : [words]
    // Text beyond the available rows is cut off in the last one.
    let shown = texts.prefix(rows - 1) + [texts.dropFirst(rows - 1).joined(separator: " ")]
    return shown.filter { !$0.isEmpty }.enumerated().map { place, text in
      place == 0
        ? [Span(head, theme[.dim]), Span(time, theme[.dim]), Span(text, theme[.text])]
        : [Span(String(repeating: " ", count: indent), theme[.text]), Span(text, theme[.text])]
    }
  }

  /// Possible events, and the number of those that do not fit.
  private func fireLine(width: Int) -> Line {
    let outlook = engine.outlook(at: now)
    let possible = SyncEvent.Kind.allCases.filter { outlook.reason(against: $0) == nil }
    // The event that happens by itself comes first, with its time, then those a user can trigger.
    let waking = engine.sleep(at: now)?.upperBound
    let next = engine.nextTry(at: now).map { max($0, waking ?? $0) }
    let coming: SyncEvent.Kind? =
      next == nil ? nil : engine.next.trigger == .backoff ? .backoffElapsed : .retryElapsed
    let ordered =
      possible.filter { $0 == coming } + possible.filter { $0.key != nil && $0 != coming }
      + possible.filter { $0.key == nil && $0 != coming }
    var line: Line = [Span("can fire  ", theme[.dim])]
    for (place, event) in ordered.enumerated() {
      var longer = line
      if place > 0 { longer.append(", ", theme[.dim]) }
      if event == coming, let next {
        longer.append("in \(DurationFormat.text(max(0, next - now))) ", theme[.value])
      }
      if layout.needs.controls == .driven, let key = event.key {
        longer.spans.append(Span("\(session.keyText(key)) ", theme[.key], hint: session.keyText(key)))
      }
      longer.append(event.words, theme[.text])
      let rest = ordered.count - place - 1
      let end = rest == 0 ? "" : ", \(rest) more"
      guard place == 0 || longer.width() + end.count <= width else {
        line.append(", \(rest + 1) more", theme[.dim])
        return line
      }
      line = longer
    }
    return line
  }

  /// Events that a user would try next but cannot trigger.
  private var refusalLine: Line {
    let outlook = engine.outlook(at: now)
    let tried: [SyncEvent.Kind] = [.syncRequested, .breakerReset, .backoffElapsed]
    let refused = tried.compactMap { event in outlook.reason(against: event).map { "\(event.words) (\($0))" }
    }
    guard !refused.isEmpty else { return [] }
    return [Span("cannot    ", theme[.dim]), Span(refused.joined(separator: ", "), theme[.dim])]
  }

  /// The coming refusal without an intervention, in the longest wording that fits.
  private func collisionLine(width: Int) -> Line? {
    guard let forecast = engine.forecast(at: now) else { return nil }
    let (at, until) = (Timestamp(forecast.at), Timestamp(forecast.until))
    let texts = [
      "! \(zone.time(at, .tenths)) \(forecast.what): will be refused, \(forecast.reason) till \(zone.time(until, .tenths))",
      "! \(zone.time(at)) \(forecast.what): refused, breaker open till \(zone.time(until))",
      "! \(zone.time(at)) refused: open till \(zone.time(until))",
    ]
    return Line(texts.first { $0.count <= width } ?? texts[2], theme[.warning])
  }
}

extension SyncEvent.Kind {
  /// The key that triggers the event, if there are controls.
  fileprivate var key: String? {
    switch self {
    case .syncRequested: "r"
    case .breakerReset: "b"
    case .pendingCleared: "C"
    case .resyncForced: "R"
    default: nil
    }
  }
}
