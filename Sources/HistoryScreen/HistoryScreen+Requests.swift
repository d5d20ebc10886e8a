import Aggregation
import DashboardCore
import History
import Platform

// Arriving from other screens, and returning to them.
extension HistoryScreen {
  /// - Parameter subjects: the subjects of the other screens.
  mutating func appear(about subjects: [SeriesIdentity]) {
    state.suggestedFocus = subjects.first
    if let subject = subjects.first, state.focus != nil, state.wantedFocus == nil, subject != state.focus {
      focus(on: subject)
      state.row = .node(.series(subject))
    }
    adoptZoom()
    // Where the tree would cover everything else, samples come first.
    if !layout.hasBoxes, state.pane == .tree { state.pane = .table }
  }

  /// Tells the other screens which range is selected.
  mutating func disappear() {
    state.ticket = nil
    session.selection = selectedRange
  }

  /// Shows as much of the past as the user chose on another screen.
  private mutating func adoptZoom() {
    switch session.zoom {
    case nil: break
    case .usual: (state.span, state.zooms) = (nil, [])
    case .length(let length):
      guard state.span != HistoryScreen.span(length) else { return }
      (state.span, state.zooms) = (HistoryScreen.span(length), [])
      state.window = Session.range(from: session.present - length * 0.75, length: length)
    }
  }

  /// Shows the subject of an event.
  mutating func show(_ event: ChangeEvent) {
    guard let series = event.series else { return }
    focus(on: series)
    state.row = .node(.series(series))
  }

  /// Shows the samples requested by another screen.
  mutating func show(_ request: SampleRequest) {
    state.ticket = request.ticket
    focus(on: request.series)
    state.sampleFilter = request.filter.flatMap { $0 == SampleFilter() ? nil : $0 }
    state.row = .node(.series(request.series))
    state.pane = .table
    state.zooms = []
    switch request.window {
    case .unchanged: return
    case .whole: state.span = nil
    case .last(let length):
      state.span = HistoryScreen.span(length)
      // The window of another screen follows the playhead.
      state.window = Session.range(from: session.present - length * 0.75, length: length)
      return resetCursor()
    case .range(let window):
      let span = HistoryScreen.span(window.upperBound - window.lowerBound)
      state.span = span
      state.window = Session.range(from: window.lowerBound, length: span)
      session.freeze(at: window.upperBound.nextDown)
    }
    cursor = HistoryCursor(anchor: .row(0))
  }

  /// Returns to the screen that asked for samples, at the moment it was showing.
  mutating func goBack(with ticket: ReturnTicket) {
    (state.ticket, state.sampleFilter) = (nil, nil)
    session.zoom = ticket.zoom
    switch ticket.playhead {
    case .live: if session.isFrozen { session.goLive() }
    case .frozen(let moment): session.movePlayhead(to: moment)
    }
    session.open(.back(ticket))
  }

  /// The selected range, or else the visible one.
  var timeSpan: TimeSpan {
    let window = selectedRange ?? state.window
    guard let whole = session.knownRange else { return .all }
    let coversAll = window.lowerBound <= whole.lowerBound && window.upperBound > whole.upperBound
    return coversAll ? .all : .fixed(window)
  }
}
