package import History
package import Platform
package import TerminalUI

/// An event for the model.
package enum Message: Sendable {
  /// The wall clock; sent before whatever it is the time of.
  case clock(Timestamp)
  case feed(FeedSnapshot)
  case input(InputEvent)
  /// The line that was looked for, `nil` if it was not found.
  case line(RawLine?, LineQuery)
  /// The whole of a line that could not be read, and its place in the list.
  case rejectedLine(RawLine, selection: Int)
  /// Information about the history, or that there is one to ask.
  case history(HistoryNews)
  /// Work of a screen is done.
  case worked(Work.ID, any Sendable)
  /// One sentence for the person about what the edge has done.
  case said(String)
}

/// A task for the program's edge.
package enum Effect: Hashable, Sendable {
  case quit
  /// The terminal is gone: there is no one left to draw for.
  case giveUp
  case suspend
  case redraw
  case copy(String)
  /// Writes a line where nothing is drawn.
  case say(String)
  case mouse(Bool)
  case findLine(LineQuery)
  /// Reads the whole of a line that could not be read.
  case readLine(FeedRejection, selection: Int)
  /// Asks the history.
  case ask(HistoryQuery)
  /// Looks for incidents in what has come since the last time.
  case findIncidents
  case export(HistoryExport)
  /// Gives up the history's work that has a progress.
  case cancelWork
  /// Computes something that takes longer than a frame, beside the loop.
  case work(Work)
  /// Shows a line of a file in the person's editor.
  case edit(path: String, line: Int)
  /// Keeps marks and views beyond this run.
  case keep(HistoryNotes)
  /// Writes files where there are none of those names, and says what comes of it, with these words behind it.
  case write([NewFile], String)
  /// Rings the terminal's bell.
  case bell
  /// Starts what the person wants to have run when a limit is exceeded.
  case run(LimitCommand)
  /// Gives an order to one of the simulations that this program plays.
  case simulate(EngineOrder)
}

/// A file that is to be written.
package struct NewFile: Hashable, Sendable {
  /// Its name, in the folder that the program was started in.
  package let name: String
  package let text: String

  package init(name: String, text: String) {
    (self.name, self.text) = (name, text)
  }
}

/// A computation that takes longer than a frame; its result comes back as a message.
package struct Work: Hashable, Sendable {
  /// Whose work it is.
  package struct ID: Hashable, Sendable {
    /// The place of the screen in the list.
    package let screen: Int
    /// The screen's name for it.
    package let name: String
  }

  package let id: ID
  /// Computes the result, on any thread.
  package let run: @Sendable () -> any Sendable

  package static func == (left: Work, right: Work) -> Bool { left.id == right.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
