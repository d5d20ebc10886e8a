import Aggregation
import History
import TerminalUI

// Zooming, and the range that is selected in the chart.
extension Model {
  private var windowLength: Double { history.window.upperBound - history.window.lowerBound }

  /// The length of a step of the chart, in seconds.
  var historyStep: Double { step(for: windowLength) }

  func canZoomHistory(_ direction: Int) -> Bool {
    direction < 0
      ? windowLength > max(Self.spans.lowerBound, live.content.edge.ulp * 1024) : history.span != nil
  }

  /// Zooms by a factor of two around the playhead; the whole history is the longest window.
  mutating func zoomHistory(_ direction: Int) {
    let length = windowLength
    let whole = wholeWindow
    let wanted = direction < 0 ? (length / 2).binade : length.binade * 2
    // Half of what is no power of two may be less than needed: the next one up is still a step in.
    let span = direction < 0 && wanted * 2 < length ? wanted * 2 : wanted
    if direction > 0, span >= whole.upperBound - whole.lowerBound { return history.span = nil }
    history.span = max(Self.spans.lowerBound, min(Self.spans.upperBound, span))
    let share = (live.content.edge - history.window.lowerBound) / length
    let start = live.content.edge - max(0, min(1, share)) * span
    let step = step(for: span)
    history.window = Self.window(from: (start / step).rounded(.down) * step, length: span)
  }

  /// The selected range from its earlier to its later end; `nil` without one.
  var selectedRange: Range<Double>? {
    guard let selection = history.selection else { return nil }
    let (from, to) = (min(selection.begin, selection.end), max(selection.begin, selection.end))
    return to > from ? from..<to : nil
  }

  /// Moves the playhead by ten steps, or in the chart by one that the selection takes along.
  mutating func movePlayheadFar(_ direction: Int) {
    guard screen == .history, history.pane == .chart else { return movePlayhead(by: 10 * direction) }
    if history.selection == nil { history.selection = (live.content.edge, live.content.edge) }
    let wasSelecting = history.isSelecting
    history.isSelecting = true
    movePlayhead(by: direction)
    history.isSelecting = wasSelecting
  }

  mutating func toggleSelecting() {
    if history.isSelecting { return history.isSelecting = false }
    history.isSelecting = true
    if history.selection == nil { history.selection = (live.content.edge, live.content.edge) }
    freeze(at: live.content.edge)
    say("The arrows select; v ends that, Esc lets go")
  }

  mutating func clearSelection() {
    history.selection = nil
    history.isSelecting = false
  }

  /// Takes the end of the selection along with the playhead while a range is being selected.
  mutating func extendSelection() {
    guard screen == .history, history.isSelecting, case .frozen(let moment) = playhead else { return }
    history.selection?.end = moment
  }
}
