import Aggregation
import DashboardCore
import History
import Platform

extension HistoryScreen {
  /// Range of window lengths, in seconds.
  static let spans = 0.00390625...2_199_023_255_552.0

  /// The valid window length closest to a length.
  static func span(_ length: Double) -> Double { max(spans.lowerBound, min(spans.upperBound, length)) }
}

// The visible time range.
extension HistoryScreen {
  /// The length of a chart step for a window of this length: a power of two, large enough for all steps to fit.
  func step(for length: Double) -> Double {
    let columns = Double(max(1, layout.chartColumns))
    let least = max(length / columns, session.present.seconds.ulp * 4, HistoryScreen.spans.lowerBound / 1024)
    let step = least.binade
    return step < least ? step * 2 : step
  }

  /// Keeps the playhead inside the window; a live window ends with it.
  mutating func refreshWindow() {
    let edge = session.present
    guard let span = state.span else {
      state.window = wholeWindow
      return
    }
    let step = step(for: span)
    var start = state.window.lowerBound
    switch session.playhead {
    case .live: start = edge.nextMultiple(of: step) - span
    case .frozen:
      // A requested window stays as it is until the playhead leaves it.
      guard edge < start || edge >= start + span else { break }
      start = edge - span * (edge < start ? 0.25 : 0.75)
      start = start.rounded(.down, toMultipleOf: step)
    }
    state.window = Session.range(from: start, length: span)
  }

  /// The range from the first sample to the last one, aligned to steps.
  var wholeWindow: Range<Timestamp> {
    let edge = session.present
    let range = session.knownRange ?? edge - Session.usualWindow...edge
    let first = min(range.lowerBound, edge)
    let last = max(min(range.upperBound, max(session.now + Session.tolerance, edge)), edge)
    let step = step(for: max(last - first, HistoryScreen.spans.lowerBound))
    let start = first.rounded(.down, toMultipleOf: step)
    return Session.range(from: start, length: last.nextMultiple(of: step) - start)
  }
}
