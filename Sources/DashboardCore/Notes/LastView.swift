/// How a file was looked at last, for its next opening.
package struct LastView: Hashable, Sendable {
  /// The screen's name; `nil` for the first one.
  package var screen: String?
  /// The length of the window in seconds, where the person chose one.
  package var window: Double?
  /// The theme, where the person chose one on the screen.
  package var theme: String?
  /// Limits that were set on the screen, by `bucket.name`, as ``LimitText`` reads them; an empty text for one that was
  /// taken away.
  package var limits: [String: String] = [:]
  /// Settings each screen keeps by itself, such as its filter and its order, by its name.
  package var screens: [String: [String: String]] = [:]

  package init() {}

  package var isEmpty: Bool { self == LastView() }

  /// Entries of one kind that are kept at most.
  package static let entryLimit = 200

  /// Without what no hand can have made.
  package var bounded: LastView {
    var view = self
    view.screen = screen.map(HistoryNotes.cut)
    view.theme = theme.map(HistoryNotes.cut)
    view.window = window.flatMap { $0.isFinite && $0 >= 1 ? $0 : nil }
    view.limits = Self.bounded(limits)
    view.screens = [:]
    for (name, texts) in screens.sorted(by: { $0.key < $1.key }).prefix(Self.entryLimit) {
      view.screens[HistoryNotes.cut(name)] = Self.bounded(texts)
    }
    return view
  }

  private static func bounded(_ texts: [String: String]) -> [String: String] {
    var kept: [String: String] = [:]
    for (name, text) in texts.sorted(by: { $0.key < $1.key }).prefix(entryLimit) {
      // A name that was cut would be another one's, and a filter another filter.
      if name.utf8.count <= HistoryNotes.textLimit, text.utf8.count <= HistoryNotes.textLimit {
        kept[name] = text
      }
    }
    return kept
  }
}

extension HistoryNotes {
  /// Keeps the limit of a metric; an empty text says that it was taken away.
  package mutating func keepLimit(_ text: String, of metric: String) {
    var view = last
    view.limits[metric] = text
    keep(view)
  }

  /// Keeps how the file was looked at.
  package mutating func keep(_ view: LastView) { last = view.bounded }
}

extension LimitSet {
  /// These limits with those that were set on the screen; a text that is no limit changes nothing.
  package func with(_ kept: [String: String]) -> LimitSet {
    var limits = self
    for (metric, text) in kept.sorted(by: { $0.key < $1.key }) {
      if text.isEmpty {
        limits.remove(metric)
      } else if var limit = LimitText.limit(of: metric, text) {
        limit.command = limits.all.first { $0.isOf(metric) }?.command
        limits.set(limit)
      }
    }
    return limits
  }
}
