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
    for room in rooms {
      let kept = room.kept(in: $session)
      view.screens[room.title.name] = kept.isEmpty ? nil : kept
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
    for place in rooms.indices {
      if let kept = view.screens[rooms[place].title.name] { restore(place, kept) }
    }
    if let screen = view.screen { show(screen) }
  }
}
