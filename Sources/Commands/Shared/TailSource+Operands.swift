import Foundation
package import JSONLines

extension TailSource {
  /// What operands mean: `-` is standard input, a folder everything in it.
  package static func sources(paths: [String]) -> [TailSource] {
    paths.map { path in
      if path == "-" { return .standardInput }
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      return exists && isFolder.boolValue ? .folder(path) : .file(path)
    }
  }
}
