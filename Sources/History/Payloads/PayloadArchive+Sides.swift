extension PayloadArchive {
  /// The fact by which the payloads of two sides are told apart where no fact of their own does.
  package static let sideFact = "side"

  /// Marks all payloads and diagnostics as those of a side.
  package mutating func mark(side: String) {
    for place in payloads.indices { payloads[place].facts[Self.sideFact] = side }
    for place in diagnostics.indices { diagnostics[place].facts[Self.sideFact] = side }
  }

  /// Adds the payloads of another archive, even those that this one has too.
  package mutating func join(_ other: PayloadArchive) {
    var places: [Figure: Int] = [:]
    for (place, figure) in figures.enumerated() where places[figure] == nil { places[figure] = place }
    let numbers = other.figures.map { figure -> Int in
      if let place = places[figure] { return place }
      figures.append(figure)
      places[figure] = figures.count - 1
      return figures.count - 1
    }
    payloads += other.payloads.map { payload in
      var payload = payload
      payload.values = payload.values.compactMap { figure, value in
        numbers.indices.contains(figure) ? (numbers[figure], value) : nil
      }
      return payload
    }
    diagnostics += other.diagnostics
    unread &+= other.unread
    leftOut &+= other.leftOut
  }

  // MARK: States

  /// The labels of all states of the app that have figures, in order.
  package var stateLabels: [String] {
    Set(figures.compactMap { StateFigureName($0.name)?.label }).sorted()
  }

  /// The same payloads with only the figures of a state, under the names of the day's; without diagnostics.
  package func inState(_ label: String) -> PayloadArchive {
    var result = PayloadArchive()
    var numbers = [Int?](repeating: nil, count: figures.count)
    for (place, figure) in figures.enumerated() {
      guard let state = StateFigureName(figure.name), state.label == label else { continue }
      let isTime = state.figure == "duration"
      result.figures.append(
        Figure(
          name: isTime ? "applicationTimeMetrics.cumulativeForegroundTime" : state.figure, unit: figure.unit))
      numbers[place] = result.figures.count - 1
    }
    result.payloads = payloads.compactMap { payload in
      var payload = payload
      payload.values = payload.values.compactMap { figure, value in
        guard numbers.indices.contains(figure), let number = numbers[figure] else { return nil }
        return (number, value)
      }
      // Beside the whole day it is a payload of its own.
      payload.source = "\(label)/\(payload.source)"
      return payload.values.isEmpty ? nil : payload
    }
    return result
  }
}
