package import Aggregation
package import TerminalUI

/// A message from the root to a screen.
package enum ScreenMessage: Sendable {
  // Events, sent to every screen.

  /// The history has sent a new answer.
  case answered
  /// The files have grown since the last query.
  case filesGrew
  /// The user went to an alert; only one screen is shown.
  case wentToAlert(ChangeEvent, isShown: Bool)
  /// Work requested by the screen is done.
  case worked(any Sendable)

  // Instructions for the shown screen, or for all screens that share its tab.

  /// The screen's tab becomes visible; `subjects` are those of the other screens, the previous one first.
  case appeared(subjects: [SeriesIdentity])
  /// The screen's tab is hidden.
  case disappeared
  /// Updates everything that depends on session, clock, size and state.
  case refresh
  case moveCursor(by: Int)
  case enter
  case zoom(Int)
  /// Sorts the rows by one of the screen's ``Screen/sortNames(_:)``.
  case sort(by: String)
  case resetZoom
  case nextPane(Int)
  case toggleMaximised
  /// Moves the playhead by a number of the screen's steps.
  case movePlayhead(by: Int)
  /// Moves the playhead ten times as far, or the screen's equivalent.
  case movePlayheadFar(Int)
  case press(Position)
  /// Releases the pressed button.
  case release(Position)
  /// Moves the focus to the pane at a position.
  case focusPane(at: Position)
  /// Moves the focus to the pane with details of the selected row.
  case focusDetails
  /// Turns the wheel at a position.
  case wheel(by: Int, at: Position)
  case drag(Position)
  /// The line being typed has changed.
  case edited(TypedLine, String)
  /// Enter submitted the line.
  case submitted(TypedLine, String)
  /// Esc cancelled the line.
  case cancelled(TypedLine)
  /// The letter typed at the prompt.
  case letter(LetterUse, Character)
  /// A choice of a picker, by its place among all choices for the query.
  case picked(Picker, query: String, place: Int)
}
