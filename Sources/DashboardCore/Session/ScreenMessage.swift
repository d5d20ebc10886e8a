package import Aggregation
package import TerminalUI

/// A message from the root to a screen.
package enum ScreenMessage: Sendable {
  // Events, told to every screen.

  /// The history has given another answer.
  case answered
  /// The files have grown since the history was asked.
  case filesGrew
  /// The person went to an alert; only one screen is shown.
  case wentToAlert(ChangeEvent, isShown: Bool)
  /// Work that the screen asked for is done.
  case worked(any Sendable)

  // Instructions, given to the screen that is shown; of its tab, to all that share it.

  /// The screen's tab is shown from now on; what the other screens are about, the one before it first.
  case appeared(subjects: [SeriesIdentity])
  /// Another tab is shown from now on.
  case disappeared
  /// Bring up to date whatever depends on session, clock, size and state.
  case refresh
  case moveCursor(by: Int)
  case enter
  case zoom(Int)
  /// Puts the rows in the order of one of the screen's ``Screen/sortNames(_:)``.
  case sort(by: String)
  case resetZoom
  case nextPane(Int)
  case toggleMaximised
  /// Moves the playhead by some of the screen's steps.
  case movePlayhead(by: Int)
  /// Moves the playhead ten times as far, or what the screen has instead.
  case movePlayheadFar(Int)
  case press(Position)
  /// Lets go of the button that was pressed.
  case release(Position)
  /// Brings the keys to the pane of a place.
  case focusPane(at: Position)
  /// Brings the keys to the pane that tells of the selected row.
  case focusDetails
  /// Turns the wheel over a place.
  case wheel(by: Int, at: Position)
  case drag(Position)
  /// The line that is being typed has changed.
  case edited(TypedLine, String)
  /// Enter ended the line that was being typed.
  case submitted(TypedLine, String)
  /// Esc ended the line that was being typed.
  case cancelled(TypedLine)
  /// The letter that was waited for.
  case letter(LetterUse, Character)
  /// A choice of a picker, by its place among all choices of the query.
  case picked(Picker, query: String, place: Int)
}
