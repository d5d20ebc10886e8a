import Aggregation
import TerminalUI

// Saving and restoring the view of a file.
extension Model {
  /// The notes with the current view of the file.
  package var keptNotes: HistoryNotes {
    var view = session.notes.last
    view.screen = shownPlace == 0 ? nil : screen
    if let zoom = session.zoom {
      view.window = if case .length(let length) = zoom { length } else { nil }
    }
    view.theme = session.chosenTheme ?? view.theme
    for place in screens.indices {
      let screen = screen(at: place)
      view.screens[screen.title.name] = screen.kept.isEmpty ? nil : screen.kept
    }
    var notes = session.notes
    notes.keep(view)
    return notes
  }

  /// Restores the view of a file; names no longer known are ignored.
  ///
  /// Limits and theme are left to the caller, whose options take precedence.
  package mutating func restore(_ view: LastView) {
    if let window = view.window {
      session.setWindow(window)
      session.zoom = .length(session.window)
    }
    if let sensitivity = view.sensitivity.flatMap(DetectionBudget.Sensitivity.init) {
      session.sensitivity = sensitivity
    }
    for place in screens.indices {
      if let kept = view.screens[screens[place].title.name] { lend(to: place) { $0.restore(kept) } }
    }
    if let screen = view.screen { show(screen) }
  }
}
