import DeliveryCore
import MisterMetricsCore
import Resilience

extension InitOptions {
  /// The options of a simulated client.
  init(_ constants: DeliveryConstants) {
    self.init(
      // The simulated endpoint's answers contain no secrets, so debugging may keep them in the record.
      writeKey: "simulated-0042", ingestionHost: "https://events.example.com", debug: true,
      flushIntervalSeconds: constants.flushIntervalSeconds, maxQueueEvents: constants.maxQueueEvents,
      maxDiskEvents: constants.maxDiskEvents, trackLifecycleEvents: constants.trackLifecycleEvents)
    diskFlushEvents = constants.diskFlushEvents
    // Records go to the simulation's journal, which needs no store.
    metrics = MetricNoopStore().erased
  }
}

extension DeliveryConfiguration {
  /// The constants of a simulated client's state machine.
  init(_ constants: DeliveryConstants) {
    self.init(InitOptions(constants))
    batchSize = constants.batchSize
    let usual = CircuitBreaker.Configuration.delivery
    let base = Duration.seconds(constants.breakerSeconds)
    breaker = CircuitBreaker.Configuration(
      threshold: constants.breakerFailures,
      backoff: Backoff(
        base: base, maximum: max(base, usual.backoff.maximum), jitter: usual.backoff.jitter))
  }
}
