extension MetricPayload {
  /// The time in each state, and the figures by state: `stateMetrics.DOMAIN/LABEL.FIGURE`.
  ///
  /// They have names of their own, because the figures of the day include them.
  var stateFigures: [PayloadFigure] {
    let times = (states ?? stateEntries.compactMap(\.state)).flatMap { state in
      var list = FigureList(applicationVersion: latestApplicationVersion)
      list.add("duration", state.durationQuantity, in: .seconds)
      return list.figures.map { $0.within(state) }
    }
    let figures = stateEntries.flatMap { entry in
      entry.state.map { state in entry.sections.figures.map { $0.within(state) } } ?? []
    }
    return times + figures.map { $0.of(version: latestApplicationVersion) }
  }
}

extension PayloadFigure {
  fileprivate func within(_ state: ReportedState) -> PayloadFigure {
    let place = [state.domain, state.name].map(Self.escaped).joined(separator: "/")
    return PayloadFigure(
      "stateMetrics.\(place).\(name)", unit, value, applicationVersion: applicationVersion)
  }

  fileprivate func of(version: String?) -> PayloadFigure {
    PayloadFigure(name, unit, value, applicationVersion: version)
  }
}
