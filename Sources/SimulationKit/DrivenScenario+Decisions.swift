package import MisterMetricsCore

/// Formats the record of a simulation for people and tests.
package protocol RecordFormatter {
  /// A formatted entry with its time in seconds.
  typealias Line = (engineTime: Double, text: String)

  init()

  /// Formats an entry as one line; `nil` if other lines already cover it.
  ///
  /// - Throws: The error of a malformed entry.
  mutating func line(_ entry: MetricEntry) throws -> Line?
}

extension DrivenScenario where World: ScenarioWorld {
  /// Plays the scenario to its end, or to its last act if it has no end.
  ///
  /// - Returns: The decisions from ``expectedFrom`` on, one per line, and the outcome.
  /// - Throws: The reason why the scenario cannot be played, or the error of a malformed entry.
  package func course() throws -> [String] {
    let simulation = try SimulationSession(self)
    let end = duration ?? acts.last?.at ?? .zero
    var formatter = World.Formatter()
    var lines: [String] = []
    func collect() throws {
      lines += try simulation.takeEntries().compactMap { try formatter.line($0) }.filter(isExpected).map(
        \.text)
    }
    try collect()
    while let next = simulation.next, next.at <= end {
      simulation.step()
      try collect()
    }
    simulation.advance(to: end)
    return lines + [simulation.world.outcome].compactMap(\.self)
  }

  /// True for lines that ``expected`` covers.
  package func isExpected(_ line: RecordFormatter.Line) -> Bool {
    line.engineTime >= expectedFrom / .seconds(1)
  }

  /// Compares the decisions with the ``expected`` ones.
  ///
  /// - Returns: Descriptions of the first differences; empty if there are none.
  package func differences(of lines: [String]) -> [String] {
    var differences: [String] = []
    for row in 0..<max(lines.count, expected.count) {
      let wanted = row < expected.count ? expected[row] : "nothing more"
      let came = row < lines.count ? lines[row] : "nothing more"
      if wanted == came { continue }
      differences.append("\(World.engine.line) \(row + 1) of \(name)\n- \(wanted)\n+ \(came)")
      // Further differences are consequences of the first ones.
      if differences.count == 5 { break }
    }
    return differences
  }

  /// The session under the name of a test, with the decisions expected from a moment on.
  ///
  /// - Parameters:
  ///   - name: The name of the test.
  ///   - moment: Time since the start from which decisions are expected; fractions of a millisecond are ignored.
  /// - Throws: The errors of ``course()``.
  package func expectingItsCourse(as name: String, since moment: Duration) throws -> Self {
    var scenario = self
    scenario.name = name
    if scenario.title.isEmpty { scenario.title = name }
    // Plays from the start time that the file can express, so that generated ids match those of the test.
    scenario.start = ScenarioMoment.toMillisecond(scenario.start)
    scenario.expectedFrom = max(.zero, (moment - .microseconds(999)).roundedUpToMilliseconds)
    scenario.expected = try scenario.course()
    return scenario
  }
}
