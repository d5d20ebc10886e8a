import Essentials
package import JSONLines
import Platform

extension TailSource {
  /// The sources that operands mean: `-` is standard input, a folder everything in it.
  package static func sources(paths: [String]) -> [TailSource] {
    paths.map { path in
      if path == "-" { return .standardInput }
      let isFolder = Posix.status(at: path)?.kind == .directory
      // One that may not be listed is told as a file is that may not be read, and not taken for empty.
      let isListed = isFolder && FileManager.default.isReadableFile(atPath: path)
      return isListed ? .folder(path) : .file(path)
    }
  }
}
