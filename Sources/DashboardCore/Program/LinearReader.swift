import Aggregation
import Platform

/// The dashboard as lines of text, for line readers and for terminals that can do nothing else.
///
/// A person types a number out of a menu, or what they would type on the screen (`D`, `/` and words, `:` and a command);
/// each change is one line. Nothing is drawn, so the lines hold no boxes and no braille.
package struct LinearReader: Sendable {
  /// The meaning of the numbers.
  var menu = LinearMenu.main
  /// Lines that were typed before the files were read.
  var waiting: [String] = []
  /// The events that were told, each once.
  var told: Set<ChangeEvent.ID> = []
  /// When the first lines were said; `nil` before.
  var begunAt: Timestamp?
  /// True if what was unusual before the opening has been taken note of.
  var knowsIncidents = false
  var toast: Session.ToastText?
  var problem: String?
  /// True if what is shown is told as soon as there are numbers.
  var waitsForNumbers = false

  package init() {}

  /// True if what is typed is answered: not before what was unusual is known, unless that takes long.
  func isReady(at now: Timestamp) -> Bool {
    begunAt.map { knowsIncidents || now >= $0 + Self.timeout || now < $0 } ?? false
  }

  /// When what is typed will be answered though not everything is known.
  var deadline: Timestamp? { waiting.isEmpty || knowsIncidents ? nil : begunAt.map { $0 + Self.timeout } }

  /// Seconds that what is typed waits for what was unusual.
  static let timeout = 3.0
  /// More lines of one kind at once are only counted.
  static let burst = 5
  /// Entries of a list that are read out at a time.
  static let page = 15
}

/// The meaning of the numbers in a linear dashboard.
enum LinearMenu: Sendable {
  case main
  /// Metrics in the order in which they were told, and the first of them that was.
  case metrics([SeriesIdentity], from: Int)
  case metric(SeriesIdentity)
  /// Problems, in the order in which they were announced.
  case events([ChangeEvent])

  static let choices = [
    "what is wrong", "metrics", "sync engine", "delivery client", "compare two sides of this metric",
    "rejected lines",
  ]
}
