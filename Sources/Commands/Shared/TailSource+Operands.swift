import Essentials
package import JSONLines

extension TailSource {
  /// What operands mean: `-` is standard input, a folder everything in it.
  package static func sources(paths: [String]) -> [TailSource] {
    paths.map { path in
      if path == "-" { return .standardInput }
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      // One that may not be listed is told as a file is that may not be read, and not taken for empty.
      let isListed = exists && isFolder.boolValue && FileManager.default.isReadableFile(atPath: path)
      return isListed ? .folder(path) : .file(path)
    }
  }
}
