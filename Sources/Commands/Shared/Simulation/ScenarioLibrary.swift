import Codecs
package import DeliverySimulation
import Essentials
import Platform
import Scenarios
import SimulationKit
import Sync
package import SyncSimulation
import TerminalUI

/// A scenario of one of the engines.
package enum AnyScenario: Hashable, Sendable {
  case sync(Scenario)
  case delivery(DeliveryScenario)

  /// The scenario with another seed.
  package func with(seed: UInt64) -> AnyScenario {
    switch self {
    case .sync(var scenario):
      scenario.seed = seed
      return .sync(scenario)
    case .delivery(var scenario):
      scenario.seed = seed
      return .delivery(scenario)
    }
  }

  /// The name of its screen.
  package var screen: String {
    switch self {
    case .sync: "sync"
    case .delivery: "delivery"
    }
  }
}

/// The scenarios that can be run: built-in ones and files.
package enum ScenarioLibrary {
  /// The reason why there is no scenario.
  package enum Problem: Error, Equatable {
    case unknown(String, choices: [String])
    /// A name, or a misspelled one, of a scenario of the other engine.
    case ofOther(String, meant: String, engine: String)
    case unreadable(path: String, reason: String)
    case invalid(path: String, reason: String)
    /// A file that neither engine can read, with the reasons.
    case ofNoEngine(path: String, sync: String, delivery: String)

    /// One line for the user, without the name of the program.
    package var message: String {
      switch self {
      case .unknown(let name, let choices):
        "unknown scenario '\(SafeText.sanitized(name))'"
          + (Suggestion.closest(to: name, among: choices).map { "; did you mean \($0)?" }
            ?? "; choose one of \(choices.joined(separator: ", "))")
      case .ofOther(let name, let meant, let engine):
        name == meant
          ? "\(meant) is a scenario of the \(engine); mistertop simulate \(meant) plays it"
          : "unknown scenario '\(SafeText.sanitized(name))'; did you mean \(meant) of the \(engine)? "
            + "mistertop simulate \(meant) plays it"
      case .unreadable(let path, let reason), .invalid(let path, let reason):
        "\(SafeText.sanitized(path)): \(SafeText.sanitized(reason))"
      case .ofNoEngine(let path, let sync, let delivery):
        "\(SafeText.sanitized(path)): for the sync engine, \(SafeText.sanitized(sync)); "
          + "for the delivery client, \(SafeText.sanitized(delivery))"
      }
    }
  }

  /// All built-in scenarios of the sync engine.
  package static func stories() throws(Problem) -> [Scenario] {
    try read(Scenarios.stories)
  }

  /// All built-in scenarios of the delivery client.
  package static func deliveryStories() throws(Problem) -> [DeliveryScenario] {
    try read(Scenarios.deliveryStories)
  }

  /// The scenario with a given name or in a file: a name with a slash or ending in `.json5` is a path.
  package static func scenario(_ name: String) throws(Problem) -> Scenario {
    try read(
      try data(name, among: Scenarios.stories, else: Scenarios.deliveryStories, of: DeliveryWorld.self),
      from: name)
  }

  /// The scenario of the delivery client with a given name or in a file, as for ``scenario(_:)``.
  package static func deliveryScenario(_ name: String) throws(Problem) -> DeliveryScenario {
    try read(
      try data(name, among: Scenarios.deliveryStories, else: Scenarios.stories, of: SyncWorld.self),
      from: name)
  }

  /// The scenario with a given name or in a file, of either engine.
  package static func anyScenario(_ name: String) throws(Problem) -> AnyScenario {
    let data = try data(name, among: Scenarios.stories + Scenarios.deliveryStories)
    if Scenarios.stories.contains(where: { $0.name == name }) { return .sync(try read(data, from: name)) }
    if Scenarios.deliveryStories.contains(where: { $0.name == name }) {
      return .delivery(try read(data, from: name))
    }
    return try readAny(data, from: name)
  }

  /// A file need not name its engine: it belongs to the delivery client only if the sync engine cannot read it.
  private static func readAny(_ data: Data, from path: String) throws(Problem) -> AnyScenario {
    do throws(ScenarioError) { return .sync(try Scenario(json5: data)) } catch let sync {
      // The file names the other engine.
      if sync.place == "engine" { return .delivery(try read(data, from: path)) }
      do throws(ScenarioError) { return .delivery(try DeliveryScenario(json5: data)) } catch {
        throw sync.message == error.message
          ? .invalid(path: path, reason: error.message)
          : .ofNoEngine(path: path, sync: sync.message, delivery: error.message)
      }
    }
  }

  /// More than `reproduce` writes for a day; parsing takes about a dozen times as much memory.
  private static let sizeLimit = 8 << 20

  /// The scenario of one engine with a given name; `others` are those of the other one.
  private static func data<Other: ScenarioWorld>(
    _ name: String, among files: [Scenarios.File], else others: [Scenarios.File], of other: Other.Type
  ) throws(Problem) -> Data {
    do throws(Problem) { return try data(name, among: files) } catch {
      guard case .unknown(_, let choices) = error else { throw error }
      let names = others.map(\.name)
      let isKnown = names.contains(name)
      guard isKnown || Suggestion.closest(to: name, among: choices) == nil,
        let meant = isKnown ? name : Suggestion.closest(to: name, among: names)
      else { throw error }
      throw .ofOther(name, meant: meant, engine: Other.engine.title)
    }
  }

  private static func data(_ name: String, among files: [Scenarios.File]) throws(Problem) -> Data {
    if PathParts.hasFolder(name) || name.hasByteSuffix(".json5") {
      do throws(WholeFile.Problem) { return Data(try WholeFile(path: name, limit: sizeLimit).bytes) } catch {
        throw .unreadable(path: name, reason: error.text(for: "a scenario"))
      }
    }
    guard let file = files.first(where: { $0.name == name }) else {
      throw .unknown(name, choices: files.map(\.name))
    }
    return Data(file.bytes)
  }

  static func read<World: ScenarioWorld>(
    _ data: Data, from path: String
  ) throws(Problem) -> DrivenScenario<World> {
    do throws(ScenarioError) { return try DrivenScenario(reading: data) } catch {
      throw .invalid(path: path, reason: error.message)
    }
  }

  private static func read<World: ScenarioWorld>(
    _ files: [Scenarios.File]
  ) throws(Problem) -> [DrivenScenario<World>] {
    try files.map { file throws(Problem) in try read(Data(file.bytes), from: file.name) }
  }
}
