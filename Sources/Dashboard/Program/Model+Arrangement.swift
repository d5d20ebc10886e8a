extension Model {
  /// Shows a screen as it would be after some keys: for frames without a person.
  ///
  /// - Parameter name: the screen, as on the command line.
  /// - Returns: what is to be asked; the answers come as messages.
  package mutating func arrange(_ name: String, _ arrangement: Arrangement) -> [Effect] {
    let effects = doAtOnce(show(name))
    session.arrangeCharts(arrangement)
    arrange(arrangement)
    return effects + updateAtOnce(&self, [])
  }

  /// The metric that was asked for and that the files do not have; `nil` where there is none such.
  package var unknownMetric: String? { facts.unknownMetric }
}
