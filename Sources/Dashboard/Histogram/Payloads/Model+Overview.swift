import Aggregation
import History
import TerminalUI

// The overview of payloads: what is shown, and what keys do there.
extension Model {
  /// Where everything stands in the overview.
  var overviewLayout: OverviewLayout {
    let frame = ScreenFrame(size: size)
    return OverviewLayout(
      frame.body, frame.step, sides: histogram.overview.content.overview?.sides.count ?? 1)
  }

  /// Brings the overview up to date, as far as can be done without keeping anybody waiting.
  mutating func refreshOverview() {
    guard let archive = histogram.payloads else { return }
    let chosen = OverviewState.Chosen(
      payloads: histogram.payloadNumber, look: histogram.look, range: histogram.range,
      window: steady(wantedWindow))
    if histogram.overview.wanted?.chosen != chosen {
      histogram.overview.wanted = overviewKey.map { (chosen, $0) }
    }
    guard let key = histogram.overview.wanted?.key else { return }
    histogram.overview.refresh(archive, key: key, rows: overviewLayout.rows)
  }

  private var overviewKey: OverviewContent.Key? {
    guard let source = histogramSource else { return nil }
    let sides = histogramSides(of: source)
    guard var a = choice(sides.a.choice) else { return nil }
    var b = choice(sides.b.choice)
    a.window = steady(a.window)
    if let window = b?.window { b?.window = steady(window) }
    return OverviewContent.Key(
      payloads: histogram.payloadNumber, a: a, b: b, names: [sides.a.name] + (b == nil ? [] : [sides.b.name]))
  }

  /// A window that does not move with every tick of the clock: payloads are days apart.
  private func steady(_ window: Range<Double>?) -> Range<Double>? {
    guard case .last(let length) = histogram.range, !isFrozen, let window else { return window }
    let step = max(1, length / 64)
    let lower = (window.lowerBound / step).rounded(.down) * step
    return lower..<max(lower, (window.upperBound / step).rounded(.up) * step)
  }

  /// When there is more of the overview to be reckoned.
  var overviewDeadline: Double? {
    screen == .histogram && histogram.look.isOverview && !histogram.overview.content.isDone ? now : nil
  }

  /// Reckons all that waits for its turn, for a picture that nobody waits at a key for.
  package mutating func settle() {
    while overviewDeadline != nil { refreshOverview() }
  }

  // MARK: Keys

  mutating func moveOverview(by rows: Int) {
    histogram.overview.move(by: rows)
    histogram.overview.scroll(rows: overviewLayout.rows)
  }

  /// Opens what the selected line is of: a histogram, the samples of a number, or what is folded away.
  mutating func enterOverview() -> [Effect] {
    if history.isGivenUp {
      resumeHistory()
      return []
    }
    guard let line = histogram.overview.content.selectedLine else { return [] }
    if case .figure(let row) = line.content {
      open(row)
    } else {
      _ = histogram.overview.fold(line)
    }
    return []
  }

  private mutating func open(_ row: PayloadOverview.Row) {
    histogram.overview.line = .figure(row.id)
    let figure = row.id.figure
    if row.isTimes { return showHistogram(of: figure.name) }
    let series = history.picture?.series.map(\.identity).filter {
      $0.bucket == PayloadArchive.bucket && $0.name == figure.name
    }
    guard let number = series?.first(where: { $0.field == "value" }) ?? series?.first else {
      return say("\(figure.name) has no numbers of its own")
    }
    history.returnPlayhead = playhead
    show(.history)
    focusHistory(on: number)
    history.row = .node(.series(number))
    history.pane = .table
  }

  /// Selects the line that was pressed; the selected one is opened.
  mutating func pressOverview(_ position: Position) -> [Effect] {
    let layout = overviewLayout
    let overview = histogram.overview
    guard layout.table.contains(position), layout.step != .tiny else { return [] }
    let offset = overview.content.offset(from: overview.offset, rows: layout.rows)
    let place = position.y - layout.table.y - 1 + offset
    guard position.y > layout.table.y, overview.content.lines.indices.contains(place) else { return [] }
    if place == overview.content.selected { return enterOverview() }
    histogram.overview.move(by: place - (overview.content.selected ?? 0))
    return []
  }

  /// What `y` copies.
  var overviewText: String { histogram.overview.content.text(theme) }
}

extension OverviewView {
  init(model: Model) {
    self.init(
      state: model.histogram.overview, theme: model.theme, step: ScreenFrame(size: model.size).step)
  }
}

extension Model {
  /// Why there is no overview to draw, and what can be done; `nil` where there is one.
  var overviewEmptiness: (title: String, next: String)? {
    guard history.isAvailable else {
      return ("No payloads of a pipe", "A file has a past; write the stream to one and open it")
    }
    if history.isGivenUp { return ("The reading was given up", "Enter goes on with it") }
    guard histogram.payloads != nil, mayHavePayloads else {
      if history.picture == nil || history.work != nil || mayHavePayloads {
        return ("Reading the payloads", "")
      }
      return ("The files hold no payloads", "mistertop import reads those of MetricKit into a store")
    }
    guard histogram.overview.content.lines.isEmpty else { return nil }
    return ("No payloads in what is chosen", "c chooses other sides, - a longer range, Esc drops the filter")
  }
}
