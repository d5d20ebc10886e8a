// Sessions and errors are part of what apps see.
@_exported public import SimulationKit

/// A session of a simulation as a test: a scenario for `NAME.json5` and the Swift of `NAMETests.swift` beside it.
public typealias SessionTest = KeptSession<Scenario>

extension KeptSession<Scenario> {
  /// A session as a test.
  ///
  /// - Parameters:
  ///   - session: The session, as ``Simulation/session`` gives it.
  ///   - name: The name of the test and its files.
  ///   - moment: From when on the transitions are expected, since the start; a part of a millisecond does not count.
  /// - Throws: ``Failure``.
  public init(scenario session: Scenario, name: String, since moment: Duration) throws(Failure) {
    try self.init(of: session, named: name, since: moment)
  }
}
