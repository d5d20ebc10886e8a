import Foundation

/// Makes the folders that a file's path needs.
package enum Folders {
  /// Creates the folder of `path` and those above it.
  ///
  /// - Returns: What it made, the uppermost first.
  @discardableResult
  package static func create(for path: String) throws(MetricError) -> [String] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    var missing: [String] = []
    var above = folder
    while above.path != "/", Posix.status(at: above.path) == nil {
      missing.insert(above.path, at: 0)
      above.deleteLastPathComponent()
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw MetricError(.fileUnavailable, "cannot create the folder of \(path)", cause: error)
    }
    return missing
  }
}
