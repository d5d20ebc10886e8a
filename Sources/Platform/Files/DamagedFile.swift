import Essentials

/// Damaged files, set aside under another name for people to inspect.
package enum DamagedFile {
  /// Suffix of the names of damaged files.
  package static let suffix = ".damaged"

  /// Names to try for a file, the plainest first.
  package static func names(for path: String) -> some Sequence<String> {
    (1...1000).lazy.map { $0 == 1 ? path + suffix : "\(path)\(suffix)-\($0)" }
  }

  /// Renames a damaged file to a name that is not in use.
  ///
  /// - Returns: Its new path.
  @discardableResult
  package static func setAside(_ path: String) throws(FileFailure) -> String {
    for name in names(for: path) where !Posix.isTaken(name) {
      try Posix.rename(path, to: name)
      return name
    }
    throw FileFailure(.rename(path, to: path + suffix), number: EEXIST)
  }
}
