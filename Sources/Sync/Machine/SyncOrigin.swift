/// The origin of what a machine decides on.
package enum SyncOrigin: String, Codable, Hashable, Sendable, CaseIterable {
  /// The app.
  case app
  /// A person at a simulation.
  case person
  /// A timer of the engine.
  case timer
  /// A rule of the engine, as a consequence of what it did.
  case rule
  /// The server, by its answer or its silence, or the store.
  case server
}
