// Errors are part of what tests see.
@_exported public import SimulationKit

extension KeptSession<DeliveryScenario> {
  /// A session as a test.
  ///
  /// - Parameters:
  ///   - session: The session, as ``DeliverySimulation/session`` gives it.
  ///   - name: The name of the test and its files.
  ///   - moment: From when on the decisions are expected, since the start; a part of a millisecond does not count.
  /// - Throws: ``Failure``.
  package init(scenario session: DeliveryScenario, name: String, since moment: Duration) throws(Failure) {
    try self.init(
      of: session, named: name, since: moment, module: "DeliverySimulation", comparing: "decisions")
  }
}
