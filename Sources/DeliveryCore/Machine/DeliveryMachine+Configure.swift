import Resilience

extension DeliveryMachine {
  /// Replaces the constants; waits already scheduled stay.
  ///
  /// The use of a disk is decided at the start of the process and cannot change.
  mutating func configure(_ new: DeliveryConfiguration, at now: Duration) {
    let old = configuration
    configuration = new
    if !old.usesDisk || !new.usesDisk { configuration.maxDiskEvents = old.maxDiskEvents }
    breaker.configuration = new.breaker
    memoryBatchSize = Self.batchSize(memoryBatchSize, old, new)
    diskBatchSize = Self.batchSize(diskBatchSize, old, new)
    if timerAt != nil, new.flushInterval != old.flushInterval { timerAt = now + new.flushInterval }
  }

  /// The current batch size: one reduced by the server stays reduced.
  private static func batchSize(
    _ size: Int, _ old: DeliveryConfiguration, _ new: DeliveryConfiguration
  ) -> Int {
    let (before, after) = (max(1, old.batchSize), max(1, new.batchSize))
    return size >= before ? after : min(size, after)
  }
}
