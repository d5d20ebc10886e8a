import Aggregation
import TerminalUI

// Commands that can be typed after `:`, besides the titles of all actions.
extension LineCommand {
  static func all(screens: [ScreenTitle]) -> [LineCommand] {
    narrowing + moving + appearance
      + screens.enumerated().map { tab, screen in
        LineCommand(screen.name, "", "the \(screen.title) screen") { model, _ in model.show(tab: tab) }
      } + general
  }

  private static let narrowing = [
    LineCommand("filter", "WORDS", "show only what matches; empty shows all") {
      (model, text) throws(LineProblem) in
      guard let filter = model.table.actions.first(where: { $0.description.name == "filter" })
      else { throw .noFilter }
      let effects = model.perform(filter)
      guard case .typing(let line, _) = model.session.overlay else {
        model.session.overlay = nil
        throw .noFilter
      }
      return effects + model.tell(.edited(line, text)) + model.tell(.submitted(line, text))
    },
    LineCommand("metric", "NAME", "go to a metric", choices: { $0.session.seriesNames }) {
      (model, text) throws(LineProblem) in
      guard let found = model.session.metric(called: text) else {
        throw .unknown(text, for: "metric", of: model.session.seriesNames)
      }
      model.session.subject = found
      return model.tell(.appeared(subjects: [found]))
    },
    LineCommand("limit", "LIMIT", "of this metric: 400, < 5, p99 > 400 for 10s bell; empty removes it") {
      (model, text) throws(LineProblem) in
      guard let metric = model.front.subjects.first else { throw LineProblem("No metric is selected") }
      return model.session.setLimit(of: metric.fullName, text)
    },
    LineCommand("sort", "COLUMN", "the order of the rows", choices: { $0.front.sortNames }) {
      (model, text) throws(LineProblem) in
      let names = model.front.sortNames
      guard !names.isEmpty else { throw LineProblem("There is nothing to sort on this screen") }
      guard names.contains(text) else { throw .unknown(text, for: "sort", of: names) }
      return model.tell(.sort(by: text))
    },
  ]

  private static let moving = [
    LineCommand("go", "TIME", "14:32, -15m, +30s, yesterday 9:00, live", choices: { _ in ["live"] }) {
      (model, text) throws(LineProblem) in
      if text == "live" {
        model.session.goLive()
      } else if text.isEmpty {
        throw LineProblem("go where? \(TypedLine.time.hint)")
      } else {
        model.session.goTo(text)
      }
      return []
    }
  ]

  private static let appearance: [LineCommand] = [
    choosing("theme", "NAME", "the colors", from: Theme.names.map { ($0, $0) }) { model, name in
      model.session.showTheme(name)
      return []
    },
    choosing(
      "glyphs", "TIER", "braille, blocks or ascii", from: GlyphTier.allCases.map { ($0.rawValue, $0) }
    ) { model, tier in
      model.session.setGlyphs(tier)
      return []
    },
    choosing("colors", "DEPTH", "24bit, 256, 16 or none", from: ColorDepth.names) { model, depth in
      model.session.setColors(depth)
      return []
    },
    choosing("mouse", "on | off", "mouse support", from: [("on", true), ("off", false)]) {
      model, isOn in
      model.session.isMouseOn == isOn ? [] : model.toggleMouse()
    },
  ]

  private static let general: [LineCommand] = [
    LineCommand("describe", "", "this pane in words") { model, _ in model.describe() },
    LineCommand("settings", "", "open the settings") { model, _ in model.showSettings() },
    LineCommand("help", "", "every action and its key") { model, _ in model.showHelp() },
    LineCommand("quit", "", "quit now") { model, _ in
      model.wantsReceipt = true
      return [.quit]
    },
  ]
}

extension LineProblem {
  static let noFilter = LineProblem("There is nothing to filter on this screen")
}

extension Session {
  /// The names of series for completions, in store order.
  var seriesNames: [String] {
    store.allSeries.prefix(Model.nameLimit).compactMap { store.identity(of: $0)?.fullName }
  }

  /// The metric with a name from the command line; `nil` without one.
  func metric(called name: String) -> SeriesIdentity? {
    store.allSeries.lazy.compactMap { store.identity(of: $0) }.first { $0.fullName == name }
  }
}
