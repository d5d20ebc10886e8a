import Aggregation
import DashboardCore
import History
import Platform
import TerminalUI

// The overview of payloads: what is shown, and what keys do there.
extension HistogramScreen {
  /// Where everything stands in the overview.
  var overviewLayout: OverviewLayout {
    let frame = ScreenFrame(size: session.size)
    return OverviewLayout(
      frame.body, frame.step, sides: state.overview.content.overview?.sides.count ?? 1)
  }

  /// Brings the overview up to date with what is known, and has the next slice of it summarized.
  mutating func refreshOverview() -> [Effect] {
    guard let archive = state.payloads else { return [] }
    let chosen = OverviewState.Chosen(
      payloads: state.$payloads, options: state.options, range: state.range,
      window: steady(wantedWindow))
    if state.overview.wanted.key != chosen {
      let key = overviewKey
      state.overview.wanted.update(for: chosen) { _ in key }
    }
    guard let key = state.overview.wanted.value,
      let work = state.overview.refresh(archive, key: key, rows: overviewLayout.rows)
    else { return [] }
    return [self.work("overview") { work.run() }]
  }

  /// Keeps the result of work.
  mutating func adopt(_ result: any Sendable) {
    switch result {
    case let result as HistogramWork.Result: adopt(result)
    case let result as OverviewWork.Result: state.overview.adopt(result)
    default: break
    }
  }

  private var overviewKey: OverviewSummary.Key? {
    guard let source else { return nil }
    let sides = sides(of: source)
    guard let a = choice(sides.a.choice).map(steady) else { return nil }
    let b = choice(sides.b.choice).map(steady)
    return OverviewSummary.Key(
      payloads: state.$payloads, a: a, b: b, names: [sides.a.name] + (b == nil ? [] : [sides.b.name]))
  }

  /// A window that does not move with every tick of the clock: payloads are days apart.
  private func steady(_ window: Range<Timestamp>?) -> Range<Timestamp>? {
    guard case .last(let length) = state.range, !session.isFrozen, let window else { return window }
    let step = max(1, length / 64)
    let lower = window.lowerBound.rounded(.down, toMultipleOf: step)
    return lower..<max(lower, window.upperBound.rounded(.up, toMultipleOf: step))
  }

  private func steady(_ choice: SampleCube.Choice) -> SampleCube.Choice {
    var choice = choice
    choice.window = steady(choice.window.map { Range(seconds: $0) })?.seconds
    return choice
  }

  // MARK: Keys

  mutating func moveOverview(by rows: Int) {
    state.overview.move(by: rows)
    state.overview.scroll(rows: overviewLayout.rows)
  }

  /// Opens what the selected line is of: a histogram, the samples of a number, or what is folded away.
  mutating func enterOverview() {
    if session.history.isGivenUp { return session.history.resume() }
    guard let line = state.overview.content.selectedLine else { return }
    if case .figure(let row) = line.content {
      open(row)
    } else {
      _ = state.overview.fold(line)
    }
  }

  private mutating func open(_ row: PayloadOverview.Row) {
    state.overview.line = .figure(row.id)
    let figure = row.id.figure
    if row.isTimes {
      show(.payload(figure.name))
      return state.isFromOverview = true
    }
    let series = session.history.answer?.series.map(\.identity).filter {
      $0.bucket == PayloadArchive.bucket && $0.name == figure.name
    }
    guard let number = series?.first(where: { $0.field == "value" }) ?? series?.first else {
      return session.showToast("\(figure.name) has no numbers of its own")
    }
    openSamples(of: number)
  }

  /// Selects the line that was pressed; the selected one is opened.
  mutating func pressOverview(_ position: Position) {
    let layout = overviewLayout
    let overview = state.overview
    guard layout.table.contains(position), layout.step != .tiny else { return }
    let offset = overview.content.offset(from: overview.offset, rows: layout.rows)
    let line = position.y - layout.table.y - 1 + offset
    guard position.y > layout.table.y, overview.content.lines.indices.contains(line) else { return }
    if line == overview.content.selected { return enterOverview() }
    state.overview.move(by: line - (overview.content.selected ?? 0))
  }

  /// The text `y` copies.
  var overviewText: String { state.overview.content.text(session.theme) }

  /// Why there is no overview to draw, and what can be done; `nil` where there is one.
  var overviewEmptiness: (title: String, next: String)? {
    let history = session.history
    guard history.isAvailable else {
      return ("A pipe has no payloads", "Write the stream to a file and open that")
    }
    if history.isGivenUp { return ("Reading was cancelled", "Enter resumes it") }
    guard state.payloads != nil, mayHavePayloads else {
      if history.answer == nil || history.work != nil || mayHavePayloads {
        return ("Reading the payloads", "")
      }
      return ("The files hold no payloads", "mistertop import records MetricKit payloads in a store")
    }
    let content = state.overview.content
    guard content.lines.isEmpty else { return nil }
    if content.overview == nil, state.overview.underWay != nil { return ("Reading the payloads", "") }
    return (
      "No payloads in this selection",
      session.keyHint("c chooses other sides, - a longer range, Esc drops the filter")
    )
  }
}

extension OverviewView {
  init(_ screen: HistogramScreen) {
    self.init(
      state: screen.state.overview, theme: screen.session.theme,
      step: ScreenFrame(size: screen.session.size).step, helpKey: screen.session.keyText("?"))
  }
}
