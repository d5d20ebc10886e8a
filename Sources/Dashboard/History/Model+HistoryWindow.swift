import Aggregation
import History

// Which stretch of time is seen.
extension Model {
  /// The lengths of a window, in seconds.
  static let spans = 0.00390625...2_199_023_255_552.0

  /// The length of a step of the chart for a window of this length: a power of two, so that there is room for all.
  func step(for length: Double) -> Double {
    let columns = Double(max(1, historyLayout.chartColumns))
    let least = max(length / columns, live.content.edge.ulp * 4, Self.spans.lowerBound / 1024)
    let step = least.binade
    return step < least ? step * 2 : step
  }

  /// Keeps the playhead inside of the window; a live window ends with it.
  mutating func refreshWindow() {
    let edge = live.content.edge
    guard let span = history.span else {
      history.window = wholeWindow
      return
    }
    let step = step(for: span)
    var start = history.window.lowerBound
    switch playhead {
    case .live: start = ((edge / step).rounded(.down) + 1) * step - span
    case .frozen:
      // A window that was asked for stays as it is until the playhead leaves it.
      guard edge < start || edge >= start + span else { break }
      start = edge - span * (edge < start ? 0.25 : 0.75)
      start = (start / step).rounded(.down) * step
    }
    history.window = Self.window(from: start, length: span)
  }

  static func window(from start: Double, length: Double) -> Range<Double> {
    start..<max(start + length, start.nextUp)
  }

  /// From the first sample to the last one, on the edges of steps.
  var wholeWindow: Range<Double> {
    let edge = live.content.edge
    let range = knownRange ?? edge - LiveState.usualWindow...edge
    let first = min(range.lowerBound, edge)
    let last = max(min(range.upperBound, max(now + Self.tolerance, edge)), edge)
    let step = step(for: max(last - first, Self.spans.lowerBound))
    let start = (first / step).rounded(.down) * step
    return Self.window(from: start, length: ((last / step).rounded(.down) + 1) * step - start)
  }
}
