import SimulationKit

extension DeliveryScenario {
  /// Plays the scenario to its end, one without an end to its last act.
  ///
  /// - Returns: What happened and what the client decided from ``expectedFrom`` on, one a line, and what came of it.
  /// - Throws: What a record that cannot be read throws.
  package func decisions() throws -> [String] {
    let simulation = DeliverySimulation(self)
    let end = duration ?? acts.last?.at ?? .zero
    var course = DeliveryCourse()
    var lines: [String] = []
    func collect() throws {
      lines += try simulation.takeEntries().compactMap { try course.line($0) }.filter(isExpected).map(\.text)
    }
    try collect()
    while let next = simulation.next, next.at <= end {
      simulation.step()
      try collect()
    }
    simulation.advance(to: end)
    return lines + [DeliveryCourse.end(of: simulation)]
  }

  /// True if a line is among those that ``expected`` lists.
  package func isExpected(_ line: DeliveryCourse.Line) -> Bool {
    line.engineTime >= expectedFrom / .seconds(1)
  }

  /// Plays the scenario and compares what comes with what is ``expected``.
  ///
  /// - Returns: The first differences in words; nothing when there are none.
  /// - Throws: What a record that cannot be read throws.
  public func differences() throws -> [String] {
    differences(of: try decisions())
  }

  /// Compares decisions with those that are ``expected``.
  ///
  /// - Returns: The first differences in words; nothing when there are none.
  package func differences(of lines: [String]) -> [String] {
    differences(of: lines, each: "line")
  }
}

extension DeliveryScenario: DrivenScenario {
  package func course() throws -> [String] { try decisions() }
}
