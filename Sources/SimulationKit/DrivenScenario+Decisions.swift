package import MisterMetricsCore

/// Makes lines for people and tests of what a simulation records.
package protocol RecordFormatter {
  /// One entry as text, and when it came about, in seconds.
  typealias Line = (engineTime: Double, text: String)

  init()

  /// One entry as a line; `nil` for what is in other lines already.
  ///
  /// - Throws: What a record that cannot be read throws.
  mutating func line(_ entry: MetricEntry) throws -> Line?
}

extension DrivenScenario where World: ScenarioWorld {
  /// Plays the scenario to its end, one without an end to its last act.
  ///
  /// - Returns: What followed from ``expectedFrom`` on, one a line, and what came of it.
  /// - Throws: Why it cannot be played, or what a record that cannot be read throws.
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

  /// True if a line is among those that ``expected`` lists.
  package func isExpected(_ line: RecordFormatter.Line) -> Bool {
    line.engineTime >= expectedFrom / .seconds(1)
  }

  /// Compares what followed with what is ``expected``.
  ///
  /// - Returns: The first differences in words; nothing when there are none.
  package func differences(of lines: [String]) -> [String] {
    var differences: [String] = []
    for row in 0..<max(lines.count, expected.count) {
      let wanted = row < expected.count ? expected[row] : "nothing more"
      let came = row < lines.count ? lines[row] : "nothing more"
      if wanted == came { continue }
      differences.append("\(World.engine.line) \(row + 1) of \(name)\n- \(wanted)\n+ \(came)")
      // Further differences follow from the first ones.
      if differences.count == 5 { break }
    }
    return differences
  }

  /// A session under the name of a test, with what is expected from a moment on.
  ///
  /// - Parameters:
  ///   - name: The name of the test.
  ///   - moment: From when on, since the start; a part of a millisecond does not count.
  /// - Throws: What ``course()`` throws.
  package func expectingItsCourse(as name: String, since moment: Duration) throws -> Self {
    var scenario = self
    scenario.name = name
    if scenario.title.isEmpty { scenario.title = name }
    // Played from the moment that the file can say, so that the ids of what is made are those of the test.
    scenario.start = ScenarioMoment.toMillisecond(scenario.start)
    scenario.expectedFrom = max(.zero, (moment - .microseconds(999)).roundedUpToMilliseconds)
    scenario.expected = try scenario.course()
    return scenario
  }
}
