package import DashboardCore
package import History
package import Platform

// The Histogram screen's part of the actions shared by screens that compare sides.
extension HistogramScreen: ComparingScreen {
  package static let actions = comparing

  package var sides: ComparedSides {
    get { state.options.sides }
    _modify { yield &state.options.sides }
  }

  package var candidates: (any SideCandidates)? { source }
  package var payloads: PayloadArchive? { state.payloads }

  package var rangeSeen: TimeSpan? {
    get { state.seen }
    set { state.seen = newValue }
  }

  package var shownSides: Int { state.content.figures.map { $0.b == nil ? 1 : 2 } ?? 0 }
  package var lackOfFigures: String? { lackOfSides }
  package var lackOfRows: String? { lackOfSides }

  /// While the range moves with the clock, this is the last range read in detail, so that the kind of figures stays the
  /// same.
  package var window: Range<Timestamp>? {
    guard case .last = sides.range, let wanted = wantedWindow, let close = state.close,
      close.subject == cubeSubject, !session.isFrozen
    else { return wantedWindow }
    let found = close.1.window
    let isNear =
      wanted.upperBound - found.upperBound < Self.closeAge && found.upperBound <= wanted.upperBound
    let isAlike = abs((wanted.upperBound - wanted.lowerBound) - (found.upperBound - found.lowerBound)) < 1e-3
    return isNear && isAlike ? found : wanted
  }

  /// Maximum age of the range read in detail, in seconds.
  private static let closeAge = 5.0

  package mutating func showOther() {
    state.isMaximised = false
    session.open(.payloads(sides, state.ticket))
  }

  package mutating func change(_ part: HistogramPart) {
    switch part {
    case .group: nextGroup()
    case .percentiles: session.startPicker(.percentiles)
    case .scale: nextScale()
    case .lens: state.options.hasLens.toggle()
    case .few: state.options.hidesFew.toggle()
    }
  }
}
