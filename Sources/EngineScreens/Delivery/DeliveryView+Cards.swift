import Codecs
import DashboardCore
import DeliveryCore
import DeliverySimulation
import Platform
import Resilience
import TerminalUI

// Facts about a client other than the reasons for its actions, as cards or as lines.
extension DeliveryView {
  func drawCards(into buffer: inout Buffer) {
    let debug = DebugFacts(engine.debug)
    let contents: [(title: String, trailing: String, lines: [Line])] = [
      ("Client", lifecycleName.uppercased(), clientLines),
      ("Breaker", breakerName.uppercased(), breakerLines),
      ("Queue \(NumberFormat.count(engine.waiting))", oldestWords, queueLines(debug)),
      ("Batches \(NumberFormat.count(engine.attempts))", sizeWords, batchLines),
      ("Drops \(NumberFormat.count(dropped))", "", dropLines),
      ("Identity and options", "", optionLines(debug)),
    ]
    for (place, content) in contents.enumerated() {
      let area = layout[.card(place)]
      drawPanel(content.title, trailing: content.trailing, in: area, into: &buffer)
      write(content.lines, in: layout.inner(of: area), into: &buffer)
    }
  }

  /// The facts as lines, one per row.
  func drawLines(into buffer: inout Buffer) {
    let debug = DebugFacts(engine.debug)
    let client = joined([Span("client  ", theme[.dim])], stateLine, "  ", networkLine)
    let batches = Line([
      Span("batches ", theme[.dim]),
      Span(
        "\(EngineFormatter.count(engine.deliveredEvents, "event")) in "
          + "\(NumberFormat.count(engine.deliveredBatches)) of \(NumberFormat.count(engine.attempts))",
        theme[.value]),
      Span("  \(sizeWords)  \(lastWords)", theme[.dim]),
    ])
    let all =
      layout.step == .list
      ? [breakerLine, queueLine(debug)] : [client, breakerLine, queueLine(debug), batches, dropLine]
    let margin = layout.step == .stacked || layout.step == .narrow ? 1 : 0
    write(all, in: layout[.lines].inset(left: margin), into: &buffer)
  }

  private func joined(_ lines: Line...) -> Line { Line(lines.flatMap(\.spans)) }

  // MARK: Client

  private var lifecycleName: String {
    guard engine.isRunning else { return "not running" }
    return engine.lifecycle?.rawValue ?? "unknown"
  }

  private var stateLine: Line {
    let role: Role =
      lifecycleName == "ready"
      ? .good : engine.lifecycle == .disabled || !engine.isRunning ? .alert : .warning
    var line = Line(lifecycleName, theme[role].adding(.bold))
    if engine.isRunning, let since = engine.lifecycleSince {
      line.append(" for \(DurationFormat.text(max(0, now - since)))", theme[.dim])
    }
    return line
  }

  private var networkLine: Line {
    // An ended process records nothing about the network.
    guard engine.isRunning else { return Line("unknown", theme[.dim]) }
    let isOnline = engine.network == NetworkName.online
    var line = Line(engine.network, theme[isOnline ? .good : .warning])
    if let since = engine.networkSince {
      line.append(" for \(DurationFormat.text(max(0, now - since)))", theme[.dim])
    }
    // A card has a row of its own for this.
    if !engine.isForeground, !layout.hasBoxes { line.append("  background", theme[.warning]) }
    return line
  }

  private var clientLines: [Line] {
    [
      joined([Span("state".padding(to: 11), theme[.dim])], stateLine),
      joined([Span("network".padding(to: 11), theme[.dim])], networkLine),
      fact("app", !engine.isRunning ? "not running" : engine.isForeground ? "foreground" : "background"),
      fact(
        "delivered",
        "\(NumberFormat.count(engine.deliveredEvents)) in \(EngineFormatter.count(engine.deliveredBatches, "batch", "batches"))"
      ),
      fact("last", lastWords),
    ]
  }

  /// `200 in 480ms, 7s ago`.
  private var lastWords: String {
    guard let last = engine.lastBatch else { return "no batch yet" }
    let duration = DurationFormat.text(last.value.latencyMs / 1000)
    let age = now - last.time
    return "\(DeliveryFormatter.shortOutcome(last.value)) in \(duration), "
      + (age < 0.05 ? "just now" : "\(DurationFormat.text(age)) ago")
  }

  // MARK: Breaker

  private var breakerName: String { engine.isRunning ? engine.breakerName(at: now) : "none" }

  private var breakerWords: Line {
    guard engine.isRunning else { return Line("none while the app is not running", theme[.dim]) }
    var line = breakerState
    if let failures = engine.breaker?.value.failures, failures > 0 {
      line.append("  \(EngineFormatter.count(failures, "failure")) in a row", theme[.warning])
    }
    return line
  }

  private var breakerLine: Line { joined([Span("breaker ", theme[.dim])], breakerWords) }

  private var breakerLines: [Line] {
    guard let breaker = engine.breaker?.value else { return [Line("closed; no failure so far", theme[.dim])] }
    var lines = [breakerWords]
    guard engine.isRunning else {
      return lines + [
        Line("a new process starts with it closed", theme[.dim]),
        fact("opened", EngineFormatter.count(engine.opens, "time")),
      ]
    }
    if let bar = breakerBar(since: engine.breaker?.time, width: 12, .seconds) { lines.append(bar) }
    lines.append(fact("opened", EngineFormatter.count(engine.opens, "time")))
    lines.append(fact("growth", "\(growthWords(breaker.growth))"))
    return lines
  }

  /// The next cooldown, computed from the machine's constants.
  private func growthWords(_ growth: Int) -> String {
    let backoff = CircuitBreaker.Configuration.delivery.backoff
    let base = Double(max(0, engine.constants.breakerSeconds))
    let longest = max(base, backoff.maximum / .seconds(1))
    var wait = base
    for _ in 0..<max(0, min(growth, 30)) { wait = min(wait * backoff.factor, longest) }
    return "next cooldown about \(DurationFormat.text(wait))"
  }

  // MARK: Queue

  private var oldestWords: String {
    guard engine.waiting > 0, let oldest = engine.oldest else { return "" }
    return "oldest \(DurationFormat.text(max(0, now - oldest)))"
  }

  private func queueLines(_ debug: DebugFacts) -> [Line] {
    let bytes = ValueUnit.bytes.text(
      engine.memory > 0 ? Double(max(0, engine.queue?.value.memoryBytes ?? 0)) : 0)
    return [
      courseLine, fact("memory", "\(memoryWords(debug))  \(bytes)B"),
      fact("disk", limited(engine.disk, debug.diskLimit)),
      fact("on the way", NumberFormat.count(engine.inFlight)),
      fact("next try", nextWords),
    ]
  }

  private var nextWords: String {
    guard let next = engine.nextAttempt else { return "-" }
    let left = next - now
    return zone.time(next, .tenths) + (left > 0 ? ", in \(DurationFormat.text(left))" : "")
  }

  private var courseLine: Line {
    let room = frame.size.width >= 160 ? 50 : layout.step >= .list ? 14 : 20
    let depths = engine.depths.suffix(room).map { Optional(Double($0.value.total)) }
    return [
      Span(Sparkline(depths, theme: theme).text(width: min(room, depths.count)), theme[.series1]),
      Span(" peak \(NumberFormat.count(engine.peak))", theme[.dim]),
    ]
  }

  private func queueLine(_ debug: DebugFacts) -> Line {
    var line: Line = [
      Span("queue   ", theme[.dim]), Span("\(NumberFormat.count(engine.waiting)) ", theme[.value]),
    ]
    line.spans += courseLine.spans
    guard layout.step < .list else { return line }
    line.append(
      "  memory \(memoryWords(debug))  disk \(limited(engine.disk, debug.diskLimit))",
      theme[.dim])
    return line
  }

  /// More than the limit is in memory only while the disk refuses writes.
  private func memoryWords(_ debug: DebugFacts) -> String {
    guard let limit = debug.memoryLimit, engine.memory > limit else {
      return limited(engine.memory, debug.memoryLimit)
    }
    let (memory, excess) = (NumberFormat.count(engine.memory), NumberFormat.count(engine.memory - limit))
    return "\(memory), \(excess) \(excess == "1" ? "waits" : "wait") for disk"
  }

  private func limited(_ count: Int, _ limit: Int?) -> String {
    NumberFormat.count(max(0, count)) + (limit.map { " of \(NumberFormat.count($0))" } ?? "")
  }

  // MARK: Batches and drops

  private var sizeWords: String {
    let size = engine.batchSize
    guard size.first > 0 else { return "" }
    guard size.isReduced else { return "at most \(NumberFormat.count(size.first))" }
    let limits = size.limits.map { ($0.source.map { "\($0) " } ?? "at most ") + NumberFormat.count($0.count) }
    return "\(limits.joined(separator: ", ")) of \(NumberFormat.count(size.first))"
  }

  private var batchLines: [Line] {
    let size = engine.batchSize
    let failed = max(0, engine.attempts - engine.deliveredBatches)
    var lines = [
      fact(
        "accepted", "\(NumberFormat.count(engine.deliveredBatches)) of \(NumberFormat.count(engine.attempts))"
      ),
      fact("failed", NumberFormat.count(failed), failed > 0 ? .warning : .value),
      fact("size", sizeWords.isEmpty ? "-" : sizeWords, size.isReduced ? .warning : .value),
      fact(
        "halved",
        EngineFormatter.count(size.halvings, "time")),
    ]
    if let last = engine.lastBatch?.value {
      lines.append(
        fact(
          "last", "\(EngineFormatter.count(last.size, "event")), \(ValueUnit.bytes.text(Double(last.bytes)))B"
        ))
    }
    return lines
  }

  private var dropped: Int { engine.drops.values.reduce(0, ClientState.sum) }

  /// The causes of drops, the most frequent first.
  private var causes: [(key: String, value: Int)] {
    engine.drops.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }

  private var dropLines: [Line] {
    guard !engine.drops.isEmpty else { return [Line("no events were dropped", theme[.dim])] }
    let room = ((0..<6).map { layout.inner(of: layout[.card($0)]).width }.min() ?? 0) - 7
    return setAsideLines
      + causes.map { cause, count in
        let sentence = DeliveryFormatter.cause(cause, of: count)
        return [
          Span("\(NumberFormat.count(count)) ".padding(to: 7), theme[.alert]),
          Span(sentence.count <= room ? sentence : cause, theme[.text]),
        ]
      }
  }

  /// Events that are set aside for the app, with the endpoint's last words about it.
  private var setAsideLines: [Line] {
    guard engine.setAside > 0 else { return [] }
    let status = engine.lastRefusal?.status.map { ", the last by \($0)" } ?? ""
    let line: Line = [
      Span("\(NumberFormat.count(engine.setAside)) ".padding(to: 7), theme[.warning]),
      Span("set aside\(status)", theme[.text]),
    ]
    let words = engine.lastRefusal?.answer.flatMap { $0.isEmpty ? nil : $0 }
    return [line] + (words.map { [fact("it said", $0)] } ?? [])
  }

  private var dropLine: Line {
    guard !engine.drops.isEmpty else { return [Span("drops   ", theme[.dim]), Span("none", theme[.dim])] }
    return [
      Span("drops   ", theme[.dim]), Span("\(NumberFormat.count(dropped))  ", theme[.alert]),
      Span(causes.map { "\($0.key) \(NumberFormat.count($0.value))" }.joined(separator: ", "), theme[.text]),
    ]
  }

  // MARK: Identity and options

  private func optionLines(_ debug: DebugFacts) -> [Line] {
    let facts = debug.facts
    guard !facts.isEmpty else { return [Line("not recorded", theme[.dim])] }
    return facts.map { fact($0.name, $0.value) }
  }
}
