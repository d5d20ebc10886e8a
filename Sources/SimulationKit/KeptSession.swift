import Essentials

/// A simulation session saved as a test: a scenario for `NAME.json5` and the Swift code of `NAMETests.swift` beside it.
///
/// The test needs the public interface of the simulation's module and Swift Testing; `swift test --filter NAME` runs it.
public struct KeptSession<Script: Hashable & Sendable>: Hashable, Sendable {
  /// The reason why a session cannot be saved as a test.
  public enum Failure: Error, Hashable, Sendable {
    /// The name is not valid as a type name.
    case name
    /// The session cannot be played.
    case unplayable(String)
    /// The generated text cannot be read back, for example because the session is too long.
    case unreadable(ScenarioError)

    /// A description of the failure in one line.
    public var message: String {
      switch self {
      case .name: SessionTestText.nameRule
      case .unplayable(let reason): "the session cannot be played: \(reason)"
      case .unreadable(let error): "the session makes no scenario: \(error.message)"
      }
    }
  }

  /// The session under its new name, with the expected decisions.
  public let scenario: Script
  /// The text of `NAME.json5`.
  public let json5: String
  /// The text of `NAMETests.swift`.
  public let swift: String
}

extension KeptSession {
  /// Saves a session as a test.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - name: The name of the test and its files.
  ///   - moment: Time since the start from which decisions are expected; fractions of a millisecond are ignored.
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
    // The text must read back to the same scenario, or nothing is generated.
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
