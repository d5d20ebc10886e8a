package import Aggregation
import Codecs
package import TerminalUI

/// Where the right edge of every window stands.
package enum Playhead: Hashable, Sendable {
  /// At the wall clock, or at the newest sample where that is long past.
  case live
  /// At a moment, in seconds since 2001.
  case frozen(Double)
}

/// What lies over the screen.
package enum Overlay: Hashable, Sendable {
  /// Every action valid here, with a filter.
  case help(query: Prompt, selection: Int)
  /// A line that is being typed in the last row.
  case typing(TypedLine, Prompt)
  /// A letter is waited for.
  case letter(LetterUse)
  /// Something to choose from on the Sync screen, with a filter.
  case picker(Picker, query: Prompt, selection: Int)
  /// The samples of one series.
  case samples(SeriesIdentity, selection: Int)
  /// The line of one of them.
  case line(RawLine, LineQuery)
  /// The line of the sample that the playhead stands on in the history.
  case rawSample
  /// The lines that could not be read.
  case rejections(selection: Int)
}

/// What a typed line is for.
package enum TypedLine: Hashable, Sendable {
  /// The words that names must hold.
  case filter
  /// The moment to go to.
  case time
  /// The name that a look is kept under.
  case look
  /// The file that samples are written to.
  case file
  /// The name of a test, which begins at a mark or with the session.
  case test(since: Character?)

  var label: String {
    switch self {
    case .filter: "/ "
    case .time: "go to "
    case .look: "keep this look as "
    case .file: "write to "
    case .test(let mark): "test of the session\(mark.map { " since mark \($0)" } ?? "") as "
    }
  }

  /// What stands there until something is typed.
  var hint: String {
    switch self {
    case .filter: "words of a name"
    case .time: MomentParser.expected
    case .look: "a name, then Enter"
    case .file: "a new file; its ending tells the form: .csv .jsonl .txt .lp"
    case .test: "a name such as ThreeLimits; behind it the letter of another mark"
    }
  }
}

/// What the next letter does.
package enum LetterUse: Hashable, Sendable {
  case setMark, goToMark
  /// Switches a fault on or off.
  case fault
  /// Answers whether the queue is to be cleared.
  case clearQueue

  var label: String {
    switch self {
    case .setMark: "mark this moment as "
    case .goToMark: "go to mark "
    case .fault: "fault "
    case .clearQueue: "clear the queue, which cannot be taken back? "
    }
  }

  var hint: String {
    switch self {
    case .setMark, .goToMark: "a letter a-z"
    case .fault: "its key 1-9 a-f to switch it; 0 all off"
    case .clearQueue: "y clears it, any other key does not"
    }
  }
}
