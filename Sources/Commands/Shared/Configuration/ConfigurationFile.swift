import Essentials
import Platform

/// A configuration read from disk: its valid settings, and its problems.
package struct ConfigurationFile: Sendable, Equatable {
  /// The path; empty if there is no location for it.
  package let path: String
  package private(set) var configuration = Configuration()
  package private(set) var problems: [ConfigurationProblem] = []
  /// True if the file exists.
  package private(set) var isThere = true

  /// In bytes; a configuration written by hand is never larger.
  private static let sizeLimit = 1 << 20

  /// Reads the file, without ever blocking or failing.
  ///
  /// Invalid settings are reported and left out.
  ///
  /// - Parameter user: The current user; commands of a file that others can write do not run.
  package init(path: String, user: UInt32 = UInt32(geteuid())) {
    self.path = path
    guard !path.isEmpty else {
      isThere = false
      return
    }
    do throws(WholeFile.Problem) {
      let file = try WholeFile(path: path, limit: Self.sizeLimit)
      guard let text = text(file.bytes) else { return }
      let isOwn =
        (file.status.owner == user || file.status.owner == 0) && file.status.permissions & 0o022 == 0
      let reader = ConfigurationReader(text, allowsCommands: isOwn)
      (configuration, problems) = (reader.configuration, reader.problems)
    } catch {
      let text = error.text(for: "a configuration")
      guard case .failure(let failure) = error else {
        refuse(text)
        return
      }
      if failure.kind == .missing { isThere = false }
      refuse("cannot be read: \(text)")
    }
  }

  private mutating func text(_ bytes: [UInt8]) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      refuse("is not valid UTF-8")
      return nil
    }
    // Some editors write a byte order mark.
    return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }

  private mutating func refuse(_ text: String) {
    problems.append(ConfigurationProblem(text: text))
  }

  /// A sentence for the screen: the first problem and the number of others; `nil` if there is none.
  package var sentence: String? {
    guard let first = problems.first else { return nil }
    let name = PathParts.end(of: path)
    let more = problems.count > 1 ? " (and \(problems.count - 1) more: mistertop --check-config)" : ""
    return first.message(path: name) + more
  }
}
