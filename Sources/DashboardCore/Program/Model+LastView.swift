import TerminalUI

// The view restored when a file is opened again.
extension Model {
  /// The notes with how the file is looked at now.
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

  /// Looks at the file as it was looked at last; what is not known here any more is left as it is.
  ///
  /// The limits and the theme are left to the caller, whose options come first.
  package mutating func restore(_ view: LastView) {
    if let window = view.window {
      session.setWindow(window)
      session.zoom = .length(session.window)
    }
    for place in screens.indices {
      if let kept = view.screens[screens[place].title.name] { lend(to: place) { $0.restore(kept) } }
    }
    if let screen = view.screen { show(screen) }
  }
}
