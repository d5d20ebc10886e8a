import Essentials
import SimulationKit
import Sync

/// A session of a simulation as a test: a scenario for `NAME.json5` and the Swift of `NAMETests.swift` beside it.
///
/// The test needs this module's public interface and Swift Testing; `swift test --filter NAME` runs it.
public struct SessionTest: Hashable, Sendable {
  /// Why a session cannot be written as a test.
  public enum Failure: Error, Hashable, Sendable {
    /// The name makes no name of a type.
    case name
    /// The session cannot be played.
    case unplayable(String)
    /// The text to be written cannot be read, such as a session with too many transitions.
    case unreadable(ScenarioError)

    /// The failure in one line.
    public var message: String {
      switch self {
      case .name: SessionTestText.nameRule
      case .unplayable(let reason): "the session cannot be played: \(reason)"
      case .unreadable(let error): "the session makes no scenario: \(error.message)"
      }
    }
  }

  /// The session under its new name, with the transitions that are expected.
  public let scenario: Scenario
  /// The text of `NAME.json5`.
  public let json5: String

  /// A session as a test.
  ///
  /// - Parameters:
  ///   - session: The session, as ``Simulation/session`` gives it.
  ///   - name: The name of the test and its files.
  ///   - moment: From when on the transitions are expected, since the start; a part of a millisecond does not count.
  /// - Throws: ``Failure``.
  public init(scenario session: Scenario, name: String, since moment: Duration) throws(Failure) {
    guard SessionTestText.isName(name) else { throw .name }
    let scenario: Scenario
    do { scenario = try session.expectingItsCourse(as: name, since: moment) } catch {
      throw .unplayable(String(describing: error))
    }
    json5 = scenario.json5
    // The text written is the text that will be read, or nothing is written.
    do throws(ScenarioError) {
      guard try Scenario(json5: Data(json5.utf8)) == scenario else {
        throw ScenarioError(place: "", text: "a file cannot say all of it")
      }
    } catch {
      throw .unreadable(error)
    }
    self.scenario = scenario
  }

  /// The text of `NAMETests.swift`.
  public var swift: String {
    SessionTestText.swift(
      scenario.name, module: "SyncSimulation", scenario: "Scenario", comparing: "transitions", json5: json5)
  }
}
