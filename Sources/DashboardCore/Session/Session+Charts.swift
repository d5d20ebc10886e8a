package import Aggregation

// Settings shared by the charts of all screens.
extension Session {
  /// Maximum number of pinned curves.
  package static let pinLimit = 4

  /// Applies the chart options of a command line; unknown metric names are ignored.
  package mutating func arrangeCharts(_ arrangement: Arrangement) {
    if arrangement.isLogarithmic { isLogarithmic = true }
    let known = Dictionary(
      store.allSeries.compactMap { store.identity(of: $0) }.map { ($0.fullName, $0) },
      uniquingKeysWith: { first, _ in first })
    pins = Array(arrangement.pins.compactMap { known[$0] }.prefix(Self.pinLimit))
  }

  /// The command-line options that reproduce the current chart settings.
  package var chartWords: [String] {
    (isLogarithmic == true ? ["--log"] : []) + pins.flatMap { ["--pin", $0.fullName] }
  }

  package mutating func toggleLogarithmic() {
    hasLogarithmicAxis.toggle()
    isLogarithmic = hasLogarithmicAxis
    showToast(hasLogarithmicAxis ? "Value axis: logarithmic" : "Value axis: linear")
  }

  /// Pins the curve of a metric to the charts, or removes it.
  package mutating func togglePin(_ identity: SeriesIdentity) {
    if let place = pins.firstIndex(of: identity) {
      pins.remove(at: place)
      showToast("Unpinned \(identity.fullName)")
    } else if pins.count < Self.pinLimit {
      pins.append(identity)
      showToast(
        "Pinned \(identity.fullName) (\(pins.count) of \(Self.pinLimit)); select another metric to compare")
    } else {
      showToast("\(Self.pinLimit) metrics are pinned; H on one of them unpins it")
    }
  }
}
