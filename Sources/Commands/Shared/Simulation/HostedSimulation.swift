import Dashboard
import DeliverySimulation
import SimulationKit
import Sync
import SyncSimulation

/// A simulation that is driven from the dashboard: what its host has to know of its engine.
protocol HostedSimulation: DrivenSimulation, SendableMetatype
where Script.Timed.Act == Engine.Act, Script.Timed.Act.Setting.Fault == Engine.Fault {
  /// The engine that orders are about.
  associatedtype Engine: SimulatedEngine

  /// The scenarios in the program.
  static func stories() throws(ScenarioLibrary.Problem) -> [Script]

  /// Why a scenario cannot be played, in a sentence.
  static func message(_ failure: Failure) -> String

  /// A session as a scenario and a test.
  static func test(
    of session: Script, name: String, since moment: Duration
  ) throws(KeptSession<Script>.Failure) -> KeptSession<Script>
}

/// Why a session makes no test, in a few words that may hold pieces of a file.
struct UnwritableTest: Error {
  let reason: String
}

extension Simulation: HostedSimulation {
  typealias Engine = SyncSimulated

  static func stories() throws(ScenarioLibrary.Problem) -> [Scenario] { try ScenarioLibrary.stories() }

  static func message(_ failure: Failure) -> String {
    switch failure {
    case .unavailable: "Simulations need macOS 15 or later"
    case .store(let text): "The simulation cannot run: \(text)"
    }
  }

  static func test(
    of session: Scenario, name: String, since moment: Duration
  ) throws(KeptSession<Scenario>.Failure) -> KeptSession<Scenario> {
    try KeptSession(scenario: session, name: name, since: moment)
  }
}

extension DeliverySimulation: HostedSimulation {
  typealias Engine = DeliverySimulated

  static func stories() throws(ScenarioLibrary.Problem) -> [DeliveryScenario] {
    try ScenarioLibrary.deliveryStories()
  }

  static func message(_ failure: Never) -> String {}

  static func test(
    of session: DeliveryScenario, name: String, since moment: Duration
  ) throws(KeptSession<DeliveryScenario>.Failure) -> KeptSession<DeliveryScenario> {
    try KeptSession(scenario: session, name: name, since: moment)
  }
}
