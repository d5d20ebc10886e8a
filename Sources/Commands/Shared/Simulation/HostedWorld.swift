import DashboardCore
import DeliverySimulation
import EngineScreens
import SimulationKit
import Sync
import SyncSimulation

/// A world whose simulations are controlled from the dashboard, with the facts their host needs.
protocol HostedWorld: ComparedWorld where Act == Engine.Act, Act.Fault == Engine.Fault {
  /// The engine that receives the orders.
  associatedtype Engine: SimulatedEngine

  /// The built-in scenarios.
  static func stories() throws(ScenarioLibrary.Problem) -> [DrivenScenario<Self>]

  /// The text of a new scenario after its name, up to the expected decisions.
  static var template: String { get }

  /// The reason why a scenario cannot be played, as a sentence.
  static func message(_ failure: Failure) -> String
}

/// The reason why a session cannot be turned into a test, in a few words that may contain parts of a file.
struct UnwritableTest: Error {
  let reason: String
}

extension SyncWorld: HostedWorld {
  typealias Engine = SyncSimulated

  static func stories() throws(ScenarioLibrary.Problem) -> [Scenario] { try ScenarioLibrary.stories() }

  static func message(_ failure: Failure) -> String {
    switch failure {
    case .unavailable: "Simulations need macOS 15 or later"
    case .store(let text): "The simulation cannot run: \(text)"
    }
  }
}

extension DeliveryWorld: HostedWorld {
  typealias Engine = DeliverySimulated

  static func stories() throws(ScenarioLibrary.Problem) -> [DeliveryScenario] {
    try ScenarioLibrary.deliveryStories()
  }

  static func message(_ failure: Never) -> String {}
}
