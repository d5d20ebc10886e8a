import Codecs
import Foundation

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
    /// What would be written cannot be read, such as a session with too many transitions.
    case unreadable(ScenarioError)

    /// The failure in one line.
    public var message: String {
      switch self {
      case .name: "a name begins with a letter, and letters, digits and _ make it, at most 60"
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
    guard Self.isName(name) else { throw .name }
    var scenario = session
    scenario.name = name
    if scenario.title.isEmpty { scenario.title = name }
    // Played from the moment that the file can say, so that the ids of what is made are those of the test.
    scenario.start = ScenarioMoment.toMillisecond(scenario.start)
    scenario.expectedFrom = max(.zero, (moment - .microseconds(999)).roundedUpToMilliseconds)
    do { scenario.expected = try scenario.transitions() } catch {
      throw .unplayable(String(describing: error))
    }
    json5 = scenario.json5
    // What is written is what will be read, or nothing is.
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
    let name = scenario.name
    return """
      import Foundation
      import Sync
      import Testing

      /// What was done by hand and kept in `\(name).json5` goes as it went then.
      @Suite("Session \(name)")
      struct \(name)Tests {
        @Test func `The transitions are those that were written down`() throws {
          let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("\(name).json5")
          let session = try Scenario(json5: Data(contentsOf: file))
          for difference in try session.differences() { Issue.record("\\(difference)") }
        }
      }

      """
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, name.unicodeScalars.count <= 60 else { return false }
    func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && scalar.properties.isAlphabetic }
    return isLetter(first)
      && name.unicodeScalars.allSatisfy { isLetter($0) || ("0"..."9").contains($0) || $0 == "_" }
  }
}
