import Essentials

/// Files that are not as they were written, kept for people to look at.
package enum DamagedFile {
  /// Suffix of the names of such files.
  package static let suffix = ".damaged"

  /// Names to try for a file, the plainest first.
  package static func names(for path: String) -> some Sequence<String> {
    (1...1000).lazy.map { $0 == 1 ? path + suffix : "\(path)\(suffix)-\($0)" }
  }

  /// Gives a damaged file another name, which nothing has.
  ///
  /// - Returns: The path that it has now.
  @discardableResult
  package static func setAside(_ path: String) throws(FileFailure) -> String {
    for name in names(for: path) where !Posix.isTaken(name) {
      try Posix.rename(path, to: name)
      return name
    }
    throw FileFailure(.rename(path, to: path + suffix), number: EEXIST)
  }
}
