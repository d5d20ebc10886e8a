package import Aggregation
import Codecs
package import Platform
package import TerminalUI

/// The position of the right edge of every window.
package enum Playhead: Hashable, Sendable {
  /// At the wall clock, or at the newest sample if that is long past.
  case live
  /// At a fixed moment.
  case frozen(Timestamp)
}

/// The overlay on top of the screen.
package enum Overlay: Hashable, Sendable {
  /// Every action valid here, with a filter.
  case help(query: Prompt, selection: Int)
  /// A line being typed in the last row.
  case typing(TypedLine, Prompt)
  /// A prompt for a single letter.
  case letter(LetterUse)
  /// A list to choose from, with a filter.
  case picker(Picker, query: Prompt, selection: Int)
  /// The samples of one series.
  case samples(SeriesIdentity, selection: Int)
  /// The line behind one of the samples.
  case line(RawLine, LineQuery)
  /// The line at the screen's current position.
  case rawLine
  /// The rejected lines.
  case rejections(selection: Int)
  /// The description of the focused pane.
  case description(String)
  /// The full text of a rejected line, and its place in the list.
  case rejectedLine(RawLine, selection: Int)
}

/// The purpose of a typed line.
///
/// Screens define their own.
package struct TypedLine: Hashable, Sendable {
  package let name: String
  /// The label before the line.
  package let label: String
  /// The hint shown while the line is empty.
  package let hint: String
  /// The `bucket.name` concerned; empty for none.
  package var metric = ""

  package static func == (left: TypedLine, right: TypedLine) -> Bool {
    left.name == right.name && left.metric == right.metric
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(metric)
  }

  /// The limit of a metric.
  ///
  /// - Parameter holding: The current limit of the metric.
  package static func limit(of metric: String, holding: String?) -> TypedLine {
    let example = "400, or p99 > 400ms for 10s bell"
    return TypedLine(
      name: "limit", label: "limit for \(metric): ",
      hint: holding.map { "now \($0); \(example)" } ?? example, metric: metric)
  }

  /// The words that names must contain.
  package static let filter = TypedLine(
    name: "filter", label: "/ ", hint: "words, or p95 > 400ms, firing, not …; Tab completes")
  /// The filter where only text can match.
  ///
  /// - Parameter hint: The hint shown while the line is empty.
  package static func filter(hint: String) -> TypedLine {
    TypedLine(name: filter.name, label: filter.label, hint: hint)
  }

  /// The command to run, by name.
  package static let command = TypedLine(name: "command", label: ": ", hint: "a command; Tab completes")
  /// The moment to go to.
  package static let time = TypedLine(name: "time", label: "go to ", hint: MomentParser.expected)

  package init(name: String, label: String, hint: String, metric: String = "") {
    self.name = name
    self.label = label
    self.hint = hint
    self.metric = metric
  }
}

/// The use of the next letter.
///
/// Screens define their own.
package struct LetterUse: Hashable, Sendable {
  package let name: String
  package let label: String
  package let hint: String
  /// The title above the answers, where they are listed.
  package var title = ""

  package static let setMark = LetterUse(
    name: "mark", label: "mark this moment: ", hint: "press a letter, a-z")
  package static let goToMark = LetterUse(
    name: "go", label: "go to mark: ", hint: "press its letter", title: "Marks")

  package init(name: String, label: String, hint: String, title: String = "") {
    self.name = name
    self.label = label
    self.hint = hint
    self.title = title
  }
}

/// A list to choose from.
///
/// Screens define their own.
package struct Picker: Hashable, Sendable {
  package let name: String
  package let title: String
  /// True if the input is a query of names, which the screen answers.
  package var takesQueries = false

  /// Text of a choice that is searched besides its title.
  ///
  /// - Parameter query: The input.
  package func synonyms(_ query: String) -> String { takesQueries ? query : "" }

  package init(name: String, title: String, takesQueries: Bool = false) {
    self.name = name
    self.title = title
    self.takesQueries = takesQueries
  }
}
