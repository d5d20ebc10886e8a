import Resilience

extension SyncEngine {
  /// Replaces the constants; a run that is active goes on with the new ones.
  package func configure(_ configuration: SyncConfiguration) {
    machine.configuration = configuration
    machine.breaker.configuration = configuration.breaker
  }
}
