import Foundation

/// A defaults database of its own for one test.
final class DefaultsSuite: Sendable {
  let name = "mistermetrics-\(UUID().uuidString)"

  /// Opens the database, as another process would.
  func make() -> UserDefaults {
    UserDefaults(suiteName: name) ?? .standard
  }

  deinit {
    UserDefaults().removePersistentDomain(forName: name)
  }
}
