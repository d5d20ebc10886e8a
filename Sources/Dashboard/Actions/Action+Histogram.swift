import TerminalUI

// What can be done on the Histogram screen, and to come to it.
extension Action {
  static let comparing: [Action] =
    [
      Action(
        "The histogram of this metric, in this stretch of time", on: [.live, .history, .sync],
        keys: [KeyPress("i")]
      ) { $0.showHistogramOfThis() }
    ] + choosing + drawing + opening

  private static let choosing: [Action] = [
    Action("Choose the metric", on: [.histogram], keys: [KeyPress("/")], refusal: needsHistory) {
      $0.startPicker(.metric)
    },
    Action("Choose what A and B are", on: [.histogram], keys: [KeyPress("c")], refusal: needsSides) {
      $0.startPicker(.sideA)
    },
    Action("A and B change places", on: [.histogram], keys: [KeyPress("w")], refusal: needsB) {
      $0.swapSides()
    },
    Action(
      "The next older version against the one before it", on: [.histogram], keys: [KeyPress("v")],
      refusal: {
        needsSides($0) ?? ($0.histogramSource?.versionDimension == nil ? "there are no versions" : nil)
      }
    ) { $0.nextVersion() },
    Action(
      "Split by the next field", on: [.histogram], keys: [KeyPress("g")],
      refusal: {
        needsFigures($0) ?? ($0.histogram.content.dimensions.isEmpty ? "there is nothing to split by" : nil)
      }
    ) { $0.nextGroup() },
    Action("Choose the percentiles", on: [.histogram], keys: [KeyPress("P")], refusal: needsFigures) {
      $0.startPicker(.percentiles)
    },
    Action(
      "All that payloads tell, or one histogram", on: [.histogram], keys: [KeyPress("O")],
      refusal: { $0.mayHavePayloads ? nil : "the files hold no payloads" }
    ) { $0.toggleOverview() },
  ]

  private static let drawing: [Action] = [
    Action(
      "Rows of one width, logarithmic, or as recorded", on: [.histogram], keys: [KeyPress("L")],
      refusal: needsFigures
    ) { $0.nextScale() },
    Action("Lens on the tail on or off", on: [.histogram], keys: [KeyPress("x")], refusal: needsFigures) {
      $0.histogram.look.hasLens.toggle()
    },
    Action(
      "Versions with few samples on or off", on: [.histogram], keys: [KeyPress("X")], refusal: needsFigures
    ) { $0.histogram.look.hidesFew.toggle() },
  ]

  private static let opening: [Action] = [
    Action(
      "The samples of this row; of a version: compare it; of a group: only it", on: [.histogram],
      keys: [KeyPress(.enter)],
      refusal: { $0.histogram.look.isOverview ? nil : needsFigures($0) }, effects: { $0.enter() }),
    Action(
      "Copy the command that draws this", on: [.histogram], keys: [KeyPress("Y")],
      effects: { [.copy($0.histogramCommand)] }),
  ]

  private static let needsFigures: @Sendable (Model) -> String? = {
    $0.histogram.look.isOverview
      ? "all that payloads tell is shown; O or Enter goes to a histogram"
      : $0.histogram.content.figures == nil ? "there are no numbers yet" : nil
  }
  /// Needs something to choose sides of, in the overview as well.
  private static let needsSides: @Sendable (Model) -> String? = {
    let isKnown =
      $0.histogram.look.isOverview
      ? $0.histogram.overview.content.overview != nil : $0.histogram.content.figures != nil
    return isKnown ? nil : "there are no numbers yet"
  }
  private static let needsB: @Sendable (Model) -> String? = {
    let hasB =
      $0.histogram.look.isOverview
      ? $0.histogram.overview.content.overview?.b != nil : $0.histogram.content.figures?.b != nil
    return needsSides($0) ?? (hasB ? nil : "there is no B")
  }
}
