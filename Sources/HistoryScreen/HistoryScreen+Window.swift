import Aggregation
import Codecs
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

  /// The samples that lie far from all others and outside the window, with the key that goes to them: `1 value far away:
  /// t 0001-01-01`.
  var farAwayText: String? {
    let outside = session.farAway.filter {
      Timestamp($0.last) < state.window.lowerBound || Timestamp($0.first) >= state.window.upperBound
    }
    guard let first = outside.first, let known = session.knownRange else { return nil }
    // Slots are coarse, but the ends of the known range are those of samples.
    let moment = Timestamp(first.last) < state.window.lowerBound ? known.lowerBound : known.upperBound
    let count = outside.reduce(0) { $0 + $1.count }
    let others = outside.count > 1 ? ", …" : ""
    return
      "\(NumberFormat.count(count)) \(count == 1 ? "value" : "values") far away: \(session.keyText("t")) "
      + session.zone.date(moment) + others
  }

  /// The range from the first sample to the last one, aligned to steps; without the few samples far from all others,
  /// unless the playhead is at one of them.
  var wholeWindow: Range<Timestamp> {
    let edge = session.present
    var range = session.mainRange ?? edge - Session.usualWindow...edge
    if session.isFrozen, !session.farAway.isEmpty, edge < range.lowerBound {
      let length = max(range.upperBound - range.lowerBound, Session.usualWindow)
      range = edge - length / 2...edge + length / 2
    }
    let first = min(range.lowerBound, edge)
    let last = max(min(range.upperBound, max(session.clock + Session.tolerance, edge)), edge)
    let step = step(for: max(last - first, HistoryScreen.spans.lowerBound))
    let start = first.rounded(.down, toMultipleOf: step)
    return Session.range(from: start, length: last.nextMultiple(of: step) - start)
  }
}
