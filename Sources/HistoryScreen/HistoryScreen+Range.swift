import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import TerminalUI

// Zooming, and the range selected in the chart.
extension HistoryScreen {
  var windowLength: Double { state.window.upperBound - state.window.lowerBound }

  /// The length of a step of the chart, in seconds.
  var step: Double { step(for: windowLength) }

  func canZoom(_ direction: Int) -> Bool {
    direction < 0
      ? windowLength > max(HistoryScreen.spans.lowerBound, session.present.seconds.ulp * 1024)
      : state.span != nil
  }

  /// Zooms by a factor of two around the playhead; the longest window is the whole history.
  mutating func zoom(_ direction: Int) {
    guard canZoom(direction) else { return }
    defer { tellZoom() }
    let length = windowLength
    let whole = wholeWindow
    let wanted = direction < 0 ? (length / 2).binade : length.binade * 2
    // For a length that is not a power of two, half may round down too far: the next larger power still zooms in.
    let span = direction < 0 && wanted * 2 < length ? wanted * 2 : wanted
    if direction > 0, span >= whole.upperBound - whole.lowerBound { return state.span = nil }
    state.span = HistoryScreen.span(span)
    let share = (session.present - state.window.lowerBound) / length
    // There is nothing to see beyond the ends of the known range.
    let latest = max(whole.lowerBound, whole.upperBound - span)
    let start = max(whole.lowerBound, min(latest, session.present - max(0, min(1, share)) * span))
    let step = step(for: span)
    state.window = Session.range(from: start.rounded(.down, toMultipleOf: step), length: span)
  }

  /// Shows the whole history again.
  mutating func resetZoom() {
    (state.span, state.zooms) = (nil, [])
    tellZoom()
  }

  /// Tells the other screens how much of the past this one shows.
  mutating func tellZoom() { session.zoom = state.span.map { .length($0) } ?? .usual }

  /// Zooms to a range; `zoomBack` returns from it.
  mutating func zoom(to range: Range<Timestamp>) {
    state.zooms.append(HistoryZoom(span: state.span, window: state.window))
    let span = HistoryScreen.span(range.upperBound - range.lowerBound)
    state.span = span
    state.window = Session.range(from: range.lowerBound, length: span)
    clearSelection()
    // A playhead at the end of the range would move the window.
    let last = state.window.upperBound.nextDown
    session.freeze(at: max(state.window.lowerBound, min(last, session.present)))
    tellZoom()
    session.showToast("Zoomed to \(DurationFormat.text(span)); q goes back")
  }

  /// Restores the window from before the last zoom to a range.
  mutating func zoomBack() {
    guard let zoom = state.zooms.popLast() else { return }
    (state.span, state.window) = (zoom.span, zoom.window)
    tellZoom()
  }

  /// The selected range from its earlier to its later end; `nil` if there is none.
  var selectedRange: Range<Timestamp>? {
    guard let selection = state.selection else { return nil }
    let (from, to) = (min(selection.begin, selection.end), max(selection.begin, selection.end))
    return to > from ? from..<to : nil
  }

  /// Moves the playhead by steps of the chart.
  mutating func movePlayhead(by steps: Int) {
    session.movePlayhead(to: session.present + Double(steps) * step)
    extendSelection()
  }

  /// Moves the playhead by ten steps, or in the chart by one step that also extends the selection.
  mutating func movePlayheadFar(_ direction: Int) {
    guard state.pane == .chart else { return movePlayhead(by: 10 * direction) }
    if state.selection == nil { state.selection = (session.present, session.present) }
    let wasSelecting = state.isSelecting
    state.isSelecting = true
    movePlayhead(by: direction)
    state.isSelecting = wasSelecting
  }

  mutating func toggleSelecting() {
    if state.isSelecting { return state.isSelecting = false }
    state.isSelecting = true
    // In the chart, Enter zooms to the range.
    if !layout[.chart].isEmpty { state.pane = .chart }
    if state.selection == nil { state.selection = (session.present, session.present) }
    session.freeze(at: session.present)
    session.showToast("The arrows extend the selection; v stops, Esc drops it")
  }

  mutating func clearSelection() {
    state.selection = nil
    state.isSelecting = false
  }

  /// Moves the end of the selection with the playhead while a range is being selected.
  private mutating func extendSelection() {
    guard state.isSelecting, case .frozen(let moment) = session.playhead else { return }
    state.selection?.end = moment
  }
}
