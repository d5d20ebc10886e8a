/// The origin of an event.
package enum SyncOrigin: String, Codable, Hashable, Sendable, CaseIterable {
  /// The app.
  case app
  /// A person who steers a simulation.
  case person
  /// A timer of the engine.
  case timer
  /// A rule of the engine, as a consequence of its own actions.
  case rule
  /// The server (by an answer or its absence) or the store.
  case server
}
