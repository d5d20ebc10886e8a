import Aggregation
import Platform

/// The dashboard as lines of text, for screen readers and limited terminals.
///
/// The user types a number from a menu, or the input of the screen (`D`, `/` and words, `:` and a command); each change
/// is one line. Nothing is drawn, so lines contain no boxes or braille.
package struct LinearReader: Sendable {
  /// The current meaning of numbers.
  var menu = LinearMenu.main
  /// Lines typed before the files were read.
  var waiting: [String] = []
  /// Events that have been announced.
  var told: Set<ChangeEvent.ID> = []
  /// The time of the first output; `nil` before.
  var begunAt: Timestamp?
  /// True if the incidents from before the opening are known.
  var knowsIncidents = false
  var toast: Session.ToastText?
  var problem: String?
  /// The clock that differs, as announced.
  var skew: String?
  /// True if the figures are read out as soon as they are available.
  var waitsForNumbers = false

  package init() {}

  /// True if input is answered: once incidents are known, or after the timeout.
  func isReady(at now: Timestamp) -> Bool {
    begunAt.map { knowsIncidents || now >= $0 + Self.timeout || now < $0 } ?? false
  }

  /// The end of the timeout for waiting input.
  var deadline: Timestamp? { waiting.isEmpty || knowsIncidents ? nil : begunAt.map { $0 + Self.timeout } }

  /// Maximum seconds that input waits for incidents.
  static let timeout = 3.0
  /// Maximum lines of one kind read out together; more are only counted.
  static let burst = 5
  /// Entries of a list read out at a time.
  static let page = 15
}

/// The meaning of numbers in a linear dashboard.
enum LinearMenu: Sendable {
  case main
  /// Metrics in the order read out, and the index of the first one of the page.
  case metrics([SeriesIdentity], from: Int)
  case metric(SeriesIdentity)
  /// Problems, in the order read out.
  case events([ChangeEvent])

  static let choices = [
    "what is wrong", "metrics", "sync engine", "delivery client", "compare two sides of this metric",
    "rejected lines",
  ]
}
