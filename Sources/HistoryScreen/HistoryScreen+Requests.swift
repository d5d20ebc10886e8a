import Aggregation
import DashboardCore
import History
import Platform

// Coming here from other screens, and going back to them.
extension HistoryScreen {
  /// - Parameter subjects: What the other screens are about.
  mutating func appear(about subjects: [SeriesIdentity]) {
    state.suggestedFocus = subjects.first
    if let subject = subjects.first, state.focus != nil, state.wantedFocus == nil, subject != state.focus {
      focus(on: subject)
      state.row = .node(.series(subject))
    }
    adoptZoom()
    // Where the tree would lie over all else, the samples come first.
    if !layout.hasBoxes, state.pane == .tree { state.pane = .table }
  }

  /// Lets the other screens know which range is selected.
  mutating func disappear() {
    state.ticket = nil
    session.selection = selectedRange
  }

  /// Shows as much of the past as the person chose to see elsewhere.
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

  /// Shows what an event is about.
  mutating func show(_ event: ChangeEvent) {
    guard let series = event.series else { return }
    focus(on: series)
    state.row = .node(.series(series))
  }

  /// Shows the samples that another screen asks for.
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
      // A window elsewhere moves to where the playhead is.
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

  /// Goes back to the screen that asked for samples, at the moment that it stood on.
  mutating func goBack(with ticket: ReturnTicket) {
    (state.ticket, state.sampleFilter) = (nil, nil)
    session.zoom = ticket.zoom
    switch ticket.playhead {
    case .live: if session.isFrozen { session.goLive() }
    case .frozen(let moment): session.movePlayhead(to: moment)
    }
    session.open(.back(ticket))
  }

  /// The stretch that is selected, or else in view.
  var timeSpan: TimeSpan {
    let window = selectedRange ?? state.window
    guard let whole = session.knownRange else { return .all }
    let coversAll = window.lowerBound <= whole.lowerBound && window.upperBound > whole.upperBound
    return coversAll ? .all : .fixed(window)
  }
}
