import Resilience

extension DeliveryMachine {
  /// Replaces the constants; what goes on keeps the waits that were decided.
  ///
  /// True if there is a disk was decided at the start of the process.
  mutating func configure(_ new: DeliveryConfiguration, at now: Duration) {
    let old = configuration
    configuration = new
    if !old.usesDisk || !new.usesDisk { configuration.maxDiskEvents = old.maxDiskEvents }
    breaker.configuration = new.breaker
    memoryBatchSize = Self.batchSize(memoryBatchSize, old, new)
    diskBatchSize = Self.batchSize(diskBatchSize, old, new)
    if timerAt != nil, new.flushInterval != old.flushInterval { timerAt = now + new.flushInterval }
  }

  /// The size of batches in force: one that the server has made smaller stays so.
  private static func batchSize(
    _ size: Int, _ old: DeliveryConfiguration, _ new: DeliveryConfiguration
  ) -> Int {
    let (before, after) = (max(1, old.batchSize), max(1, new.batchSize))
    return size >= before ? after : min(size, after)
  }
}
