import Resilience

extension ClientCore {
  /// The assumed state of the network.
  var networkStatus: String {
    switch machine.network {
    case .online: "online"
    case .offline: "offline"
    case .returning: "returning"
    }
  }

  /// The client's state for display; shows four characters of the write key.
  package func debugInfo() -> [String: PropertyValue] {
    let now = environment.clock.now
    var info: [String: PropertyValue] = [
      "lifecycle": .text(lifecycle.state.rawValue),
      "queueLength": .integer(Int64(machine.queue.total)),
      "writeKey": .text(Masked.key(options.writeKey)),
      "ingestionHost": .text(options.ingestionHost),
      "flushIntervalSeconds": .integer(Int64(options.flushIntervalSeconds)),
      "maxQueueEvents": .integer(Int64(options.maxQueueEvents)),
      "maxDiskEvents": .integer(Int64(options.maxDiskEvents)),
      "circuitState": .text(machine.breaker.state(at: now).rawValue),
      "circuitRemainingMs": .integer(
        Int64((machine.breaker.remaining(at: now) / .milliseconds(1)).rounded(.up))),
      "flushInFlight": .bool(machine.isFlushing),
      "networkStatus": .text(networkStatus),
      "tracing": .bool(isTracing),
      "hasDiskData": .bool(machine.stored > 0),
      "dropped": .object(
        Dictionary(uniqueKeysWithValues: dropped.map { ($0.key.rawValue, .integer(Int64($0.value))) })),
    ]
    // Ids and refused values appear only if there are any.
    if let refused, !refused.isEmpty { info["setAside"] = .integer(Int64(refused.count)) }
    if folderInUse != nil { info["folderInUse"] = .bool(true) }
    if leftOutValues > 0 { info["leftOutValues"] = .integer(Int64(leftOutValues)) }
    if !identity.anonymousID.isEmpty { info["anonymousId"] = .text(identity.anonymousID) }
    info["userId"] = identity.userID.map { .text($0) }
    info["groupId"] = identity.groupID.map { .text($0) }
    info["advertisingId"] = identity.advertisingID.map { .text($0) }
    return info
  }
}
