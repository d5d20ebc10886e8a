/// The view of a file when it was last open, for the next opening.
package struct LastView: Hashable, Sendable {
  /// The screen's name; `nil` for the first one.
  package var screen: String?
  /// The length of the window in seconds, if the user chose one.
  package var window: Double?
  /// The theme, if the user chose one on the screen.
  package var theme: String?
  /// The sensitivity of the search for incidents, if the user chose one on the screen.
  package var sensitivity: String?
  /// Limits set on the screen, by `bucket.name`, in the syntax of ``LimitText``; an empty text for a removed one.
  package var limits: [String: String] = [:]
  /// Acknowledged problems, the newest last.
  package var acknowledged: [Acknowledgement] = []
  /// Ignored metrics and kinds of change.
  package var ignored: [IgnoredChange] = []
  /// Settings of each screen, such as its filter and its order, by screen name.
  package var screens: [String: [String: String]] = [:]

  package init() {}

  package var isEmpty: Bool { self == LastView() }

  /// Maximum entries of one kind.
  package static let entryLimit = 200

  /// A copy without entries that no user can have made.
  package var bounded: LastView {
    var view = self
    view.screen = screen.map(HistoryNotes.cut)
    view.theme = theme.map(HistoryNotes.cut)
    view.sensitivity = sensitivity.map(HistoryNotes.cut)
    view.window = window.flatMap { $0.isFinite && $0 >= 1 ? $0 : nil }
    view.limits = Self.bounded(limits)
    view.ignored = ignored.suffix(Self.entryLimit).filter { change in
      change.text.utf8.count <= 2 * HistoryNotes.textLimit && (change.metric ?? change.kind) != nil
    }
    view.acknowledged = acknowledged.suffix(Self.entryLimit).filter {
      $0.metric.utf8.count <= HistoryNotes.textLimit && $0.start.isFinite
    }
    view.screens = [:]
    for (name, texts) in screens.sorted(by: { $0.key < $1.key }).prefix(Self.entryLimit) {
      view.screens[HistoryNotes.cut(name)] = Self.bounded(texts)
    }
    return view
  }

  private static func bounded(_ texts: [String: String]) -> [String: String] {
    var kept: [String: String] = [:]
    for (name, text) in texts.sorted(by: { $0.key < $1.key }).prefix(entryLimit) {
      // A truncated name would be another name, and a truncated filter another filter.
      if name.utf8.count <= HistoryNotes.textLimit, text.utf8.count <= HistoryNotes.textLimit {
        kept[name] = text
      }
    }
    return kept
  }
}

extension HistoryNotes {
  /// Saves the limit of a metric; an empty text marks it as removed.
  package mutating func keepLimit(_ text: String, of metric: String) {
    var view = last
    view.limits[metric] = text
    keep(view)
  }

  /// Saves the view of the file.
  package mutating func keep(_ view: LastView) { last = view.bounded }
}

extension LimitSet {
  /// These limits, overridden by those set on the screen; an invalid text changes nothing.
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
