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

extension KeptSession where Script: DrivenScenario {
  /// A session as a test.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - name: The name of the test and its files.
  ///   - moment: From when on what follows is expected, since the start; a part of a millisecond does not count.
  ///   - module: The module that plays it.
  ///   - noun: What is compared, in the plural.
  /// - Throws: ``Failure``.
  package init(
    of session: Script, named name: String, since moment: Duration, module: String, comparing noun: String
  ) throws(Failure) {
    guard SessionTestText.isName(name) else { throw .name }
    let scenario: Script
    do { scenario = try session.expectingItsCourse(as: name, since: moment) } catch {
      throw .unplayable(String(describing: error))
    }
    let json5 = scenario.json5
    // The text written is the text that will be read, or nothing is written.
    do throws(ScenarioError) {
      guard try Script(json5: Data(json5.utf8)) == scenario else {
        throw ScenarioError(place: "", text: "a file cannot say all of it")
      }
    } catch {
      throw .unreadable(error)
    }
    self.init(
      scenario: scenario, json5: json5,
      swift: SessionTestText.swift(
        name, module: module, scenario: "\(Script.self)", comparing: noun, json5: json5))
  }
}

extension DrivenScenario {
  /// A session under the name of a test, with what is expected from a moment on.
  ///
  /// - Parameters:
  ///   - name: The name of the test.
  ///   - moment: From when on, since the start; a part of a millisecond does not count.
  /// - Throws: What ``course()`` throws.
  package func expectingItsCourse(as name: String, since moment: Duration) throws -> Self {
    var scenario = self
    scenario.name = name
    if scenario.title.isEmpty { scenario.title = name }
    // Played from the moment that the file can say, so that the ids of what is made are those of the test.
    scenario.start = ScenarioMoment.toMillisecond(scenario.start)
    scenario.expectedFrom = max(.zero, (moment - .microseconds(999)).roundedUpToMilliseconds)
    scenario.expected = try scenario.course()
    return scenario
  }
}
