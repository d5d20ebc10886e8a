import Foundation

/// A defaults database of its own for one test.
final class DefaultsSuite: Sendable {
  let name = "mistermetrics-\(UUID().uuidString)"

  /// Opens the database, as another process would.
  func make() -> UserDefaults {
    UserDefaults(suiteName: name) ?? .standard
  }

  deinit {
    let defaults = make()
    for key in ["metrics", "metrics.damaged"] { defaults.removeObject(forKey: key) }
    defaults.synchronize()
    // On Linux an empty database leaves its file behind.
    let folder = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".config")
    try? FileManager.default.removeItem(at: folder.appendingPathComponent("\(name).plist"))
  }
}
