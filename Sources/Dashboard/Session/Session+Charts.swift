import Aggregation

// What the charts of all screens have in common.
extension Session {
  /// Curves that can be pinned at most.
  static let pinLimit = 4

  mutating func toggleLogarithmic() {
    isLogarithmic.toggle()
    showToast(isLogarithmic ? "The value axis is logarithmic" : "The value axis is linear")
  }

  /// Keeps the curve of a metric in the charts, or takes it out again.
  mutating func togglePin(_ identity: SeriesIdentity) {
    if let place = pins.firstIndex(of: identity) {
      pins.remove(at: place)
      showToast("\(identity.fullName) is no longer pinned")
    } else if pins.count < Self.pinLimit {
      pins.append(identity)
      showToast("Pinned \(identity.fullName), \(pins.count) of \(Self.pinLimit): choose another metric")
    } else {
      showToast("\(Self.pinLimit) metrics are pinned: H on one of them lets it go")
    }
  }
}
