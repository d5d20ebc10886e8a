import Essentials

/// A session of a simulation as a test: a scenario for `NAME.json5` and the Swift of `NAMETests.swift` beside it.
///
/// The test needs the public interface of the simulation's module and Swift Testing; `swift test --filter NAME` runs it.
public struct KeptSession<Script: Hashable & Sendable>: Hashable, Sendable {
  /// Why a session cannot be written as a test.
  public enum Failure: Error, Hashable, Sendable {
    /// The name makes no name of a type.
    case name
    /// The session cannot be played.
    case unplayable(String)
    /// The text to be written cannot be read, such as a session that is too long.
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

  /// The session under its new name, with what is expected to follow.
  public let scenario: Script
  /// The text of `NAME.json5`.
  public let json5: String
  /// The text of `NAMETests.swift`.
  public let swift: String
}

extension KeptSession {
  /// A session as a test.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - name: The name of the test and its files.
  ///   - moment: From when on what follows is expected, since the start; a part of a millisecond does not count.
  /// - Throws: ``Failure``.
  package init<World: ScenarioWorld>(
    of session: Script, named name: String, since moment: Duration
  ) throws(Failure) where Script == DrivenScenario<World> {
    guard SessionTestText.isName(name) else { throw .name }
    let scenario: Script
    do { scenario = try session.expectingItsCourse(as: name, since: moment) } catch {
      throw .unplayable(String(describing: error))
    }
    let json5 = scenario.text
    // The text written is the text that will be read, or nothing is written.
    do throws(ScenarioError) {
      guard try Script(reading: Data(json5.utf8)) == scenario else {
        throw ScenarioError(place: "", text: "a file cannot say all of it")
      }
    } catch {
      throw .unreadable(error)
    }
    self.init(
      scenario: scenario, json5: json5, swift: SessionTestText.swift(name, of: World.engine, json5: json5))
  }
}
