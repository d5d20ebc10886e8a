// Apps use sessions and errors of this module.
@_exported public import SimulationKit

/// A simulation session saved as a test: a scenario for `NAME.json5` and the Swift code of `NAMETests.swift` beside it.
public typealias SessionTest = KeptSession<Scenario>

extension KeptSession<Scenario> {
  /// Saves a session as a test.
  ///
  /// - Parameters:
  ///   - session: The session, from ``Simulation/session``.
  ///   - name: The name of the test and its files.
  ///   - moment: Time since the start from which transitions are expected; fractions of a millisecond are ignored.
  /// - Throws: ``Failure``.
  public init(scenario session: Scenario, name: String, since moment: Duration) throws(Failure) {
    try self.init(of: session, named: name, since: moment)
  }
}
