import Essentials
package import JSONLines
import Platform

extension TailSource {
  /// The sources of operands: `-` is standard input, a folder stands for all its files.
  package static func sources(paths: [String]) -> [TailSource] {
    paths.map { path in
      if path == "-" { return .standardInput }
      let isFolder = Posix.status(at: path)?.kind == .directory
      // A folder that cannot be listed is reported like an unreadable file instead of being treated as empty.
      let isListed = isFolder && FileManager.default.isReadableFile(atPath: path)
      return isListed ? .folder(path) : .file(path)
    }
  }
}
