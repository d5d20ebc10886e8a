import Foundation

/// Makes the folders that a file's path needs.
enum Folders {
  /// Creates the folder of `path` and those above it.
  static func create(for path: String) throws(MetricError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw MetricError(.fileUnavailable, "cannot create the folder of \(path)", cause: error)
    }
  }
}
