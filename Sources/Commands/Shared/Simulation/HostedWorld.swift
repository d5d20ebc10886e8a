import DashboardCore
import DeliverySimulation
import EngineScreens
import SimulationKit
import Sync
import SyncSimulation

/// A world whose simulations are driven from the dashboard: what their host has to know of it.
protocol HostedWorld: ComparedWorld where Act == Engine.Act, Act.Fault == Engine.Fault {
  /// The engine that orders are about.
  associatedtype Engine: SimulatedEngine

  /// The scenarios in the program.
  static func stories() throws(ScenarioLibrary.Problem) -> [DrivenScenario<Self>]

  /// The parts of a scenario to begin with behind its name, up to what is expected.
  static var template: String { get }

  /// Why a scenario cannot be played, in a sentence.
  static func message(_ failure: Failure) -> String
}

/// Why a session makes no test, in a few words that may hold pieces of a file.
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
