package import History
package import Platform
package import TerminalUI

/// An event for the model.
package enum Message: Sendable {
  /// The wall clock; precedes the message it timestamps.
  case clock(Timestamp)
  case feed(FeedSnapshot)
  case input(InputEvent)
  /// The requested line; `nil` if it was not found.
  case line(RawLine?, LineQuery)
  /// The full text of a rejected line, and its place in the list.
  case rejectedLine(RawLine, selection: Int)
  /// News from the history; the first one also announces that there is a history to query.
  case history(HistoryNews)
  /// The result of a screen's work.
  case worked(Work.ID, any Sendable)
  /// One sentence for the user about what the edge has done.
  case said(String)
}

/// A task for the program's edge.
package enum Effect: Hashable, Sendable {
  case quit
  /// The terminal is gone: quits without drawing.
  case giveUp
  case suspend
  case redraw
  case copy(String)
  /// Writes a line where no screen is drawn.
  case say(String)
  case mouse(Bool)
  case findLine(LineQuery)
  /// Reads the full text of a rejected line.
  case readLine(FeedRejection, selection: Int)
  /// Goes on with the samples of these hosts alone.
  case narrow(HostScope)
  /// Queries the history.
  case ask(HistoryQuery)
  /// Searches for incidents in the data that arrived since the last search.
  case findIncidents
  case export(HistoryExport)
  /// Cancels the history's work that reports progress.
  case cancelWork
  /// Computes something that takes longer than a frame, off the loop.
  case work(Work)
  /// Opens a line of a file in the user's editor.
  case edit(path: String, line: Int)
  /// Persists marks and views beyond this run.
  case keep(HistoryNotes)
  /// Writes files unless their names are taken, and reports the outcome followed by this text.
  case write([NewFile], String)
  /// Rings the terminal's bell.
  case bell
  /// Starts the user's command for an exceeded limit.
  case run(LimitCommand)
  /// Sends an order to a simulation hosted by this program.
  case simulate(EngineOrder)
}

/// A file to write.
package struct NewFile: Hashable, Sendable {
  /// The file name, relative to the working directory of the program.
  package let name: String
  package let text: String

  package init(name: String, text: String) {
    (self.name, self.text) = (name, text)
  }
}

/// A computation that takes longer than a frame; its result comes back as a message.
package struct Work: Hashable, Sendable {
  /// The owner of the work.
  package struct ID: Hashable, Sendable {
    /// The place of the screen in the list.
    package let screen: Int
    /// The screen's name for the work.
    package let name: String
  }

  package let id: ID
  /// Computes the result on any thread.
  package let run: @Sendable () -> any Sendable

  package static func == (left: Work, right: Work) -> Bool { left.id == right.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
