package import DashboardCore
import TerminalUI

// Actions available on the Histogram screen.
extension HistogramScreen {
  package static let actions: [ScreenAction<Self>] =
    [choosing, drawing, opening, ScreenAction.freezing, ScreenAction.zooming { $0.canZoom($1) }]
    .flatMap(\.self)

  private static let choosing: [ScreenAction<Self>] = [
    ScreenAction("Choose the metric", .comparing, keys: [KeyPress("/")], refusal: needsHistory) {
      $0.session.startPicker(.metric)
    },
    ScreenAction("Choose what A and B are", .comparing, keys: [KeyPress("c")], refusal: needsSides) {
      $0.session.startPicker(.sideA)
    },
    ScreenAction(
      "Swap A and B", .comparing, name: "a-and-b-change-places", keys: [KeyPress("U")], refusal: needsB
    ) {
      $0.swapSides()
    },
    ScreenAction(
      "Compare the next older version with the one before it", .comparing,
      name: "next-older-version-against-the-one-before-it", keys: [KeyPress("V")],
      refusal: { needsSides($0) ?? ($0.source?.versionDimension == nil ? "there are no versions" : nil) }
    ) { $0.nextVersion() },
    ScreenAction(
      "Split by the next field", .comparing, keys: [KeyPress("d")],
      refusal: {
        needsFigures($0) ?? ($0.state.content.dimensions.isEmpty ? "there is nothing to split by" : nil)
      }
    ) { $0.nextGroup() },
    ScreenAction("Choose the percentiles", .comparing, keys: [KeyPress("P")], refusal: needsFigures) {
      $0.session.startPicker(.percentiles)
    },
    ScreenAction(
      "Everything in the payloads, or one histogram", .comparing, name: "all-that-payloads-tell",
      keys: [KeyPress("O")],
      refusal: { $0.mayHavePayloads ? nil : "the files hold no payloads" }
    ) { $0.toggleOverview() },
  ]

  private static let drawing: [ScreenAction<Self>] = [
    ScreenAction(
      "Bins of equal width, logarithmic, or as recorded", .comparing, name: "rows-of-one-width",
      keys: [KeyPress("L")],
      refusal: needsFigures
    ) { $0.nextScale() },
    ScreenAction(
      "Magnify the tail, or not", .comparing, name: "lens-on-the-tail-on-or-off", keys: [KeyPress("x")],
      refusal: needsFigures
    ) {
      $0.state.options.hasLens.toggle()
    },
    ScreenAction(
      "Show or hide versions with few samples", .comparing, name: "versions-with-few-samples-on-or-off",
      keys: [KeyPress("~")], refusal: needsFigures
    ) { $0.state.options.hidesFew.toggle() },
  ]

  private static let opening: [ScreenAction<Self>] = [
    ScreenAction(
      "Open this bin's samples; compare this version; keep only this group", .comparing,
      name: "samples-of-this-row",
      keys: [KeyPress(.enter)],
      refusal: { $0.state.options.isOverview ? nil : needsFigures($0) }
    ) { $0.enter() }
  ]

  private static let needsHistory: @Sendable (HistogramScreen) -> String? = {
    $0.session.history.isAvailable ? nil : "this input has no history"
  }
  private static let needsFigures: @Sendable (HistogramScreen) -> String? = {
    $0.state.options.isOverview
      ? "the payload overview is shown; O or Enter opens a histogram"
      : $0.state.content.figures == nil ? "there are no numbers yet" : nil
  }
  /// Needs something to choose sides of, in the overview as well.
  static let needsSides: @Sendable (HistogramScreen) -> String? = {
    let isKnown =
      $0.state.options.isOverview
      ? $0.state.overview.content.overview != nil : $0.state.content.figures != nil
    return isKnown ? nil : "there are no numbers yet"
  }
  private static let needsB: @Sendable (HistogramScreen) -> String? = {
    let hasB =
      $0.state.options.isOverview
      ? $0.state.overview.content.overview?.b != nil : $0.state.content.figures?.b != nil
    return needsSides($0) ?? (hasB ? nil : "there is no B")
  }
}
