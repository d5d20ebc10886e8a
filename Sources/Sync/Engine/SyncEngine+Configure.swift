import Resilience

extension SyncEngine {
  /// Replaces the constants; they take effect at once, also in an active run.
  package func configure(_ configuration: SyncConfiguration) {
    machine.configuration = configuration
    machine.breaker.configuration = configuration.breaker
  }
}
