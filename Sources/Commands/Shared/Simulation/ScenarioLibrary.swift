import Foundation
import Scenarios
package import Sync
import TerminalUI

/// The scenarios that can be run: those in the program, and those in files.
package enum ScenarioLibrary {
  /// Why there is no scenario.
  package enum Problem: Error, Equatable {
    case unknown(String)
    case unreadable(path: String, reason: String)
    case invalid(path: String, ScenarioError)

    /// One line for the user, without the program's name.
    package var message: String {
      switch self {
      case .unknown(let name):
        let names = Scenarios.stories.map(\.name).joined(separator: ", ")
        return "unknown scenario '\(SafeText.sanitized(name))'; choose one of \(names)"
      case .unreadable(let path, let reason): return "\(SafeText.sanitized(path)): \(reason)"
      case .invalid(let path, let error):
        return "\(SafeText.sanitized(path)): \(SafeText.sanitized(error.message))"
      }
    }
  }

  /// All scenarios in the program.
  package static func stories() throws(Problem) -> [Scenario] {
    var stories: [Scenario] = []
    for file in Scenarios.stories { stories.append(try read(Data(file.bytes), from: file.name)) }
    return stories
  }

  /// The scenario of a name, or of a file: a name with a slash or ending in `.json5` is a path.
  package static func scenario(_ name: String) throws(Problem) -> Scenario {
    if name.contains("/") || name.hasSuffix(".json5") {
      let data: Data
      do { data = try Data(contentsOf: URL(fileURLWithPath: name)) } catch {
        throw .unreadable(path: name, reason: reason(of: error))
      }
      return try read(data, from: name)
    }
    guard let file = Scenarios.stories.first(where: { $0.name == name }) else { throw .unknown(name) }
    return try read(Data(file.bytes), from: name)
  }

  static func read(_ data: Data, from path: String) throws(Problem) -> Scenario {
    do throws(ScenarioError) { return try Scenario(json5: data) } catch {
      throw .invalid(path: path, error)
    }
  }

  private static func reason(of error: any Error) -> String {
    guard let error = error as? CocoaError else { return "\(error)" }
    switch error.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: return "no such file"
    case .fileReadNoPermission: return "permission denied"
    default: return "cannot be read"
    }
  }
}
