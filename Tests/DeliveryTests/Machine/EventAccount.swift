@testable import DeliveryCore

/// Where every event of a model run is, or what became of it.
struct EventAccount {
  /// The events offered, neither done with nor lost with a process.
  private(set) var waiting = NumberSet()
  /// The events the server took; they may come back from the disk after a crash.
  private var delivered = NumberSet()
  /// The events the server took since the last check.
  private var acknowledged: [Int] = []
  /// Events that overtook others while the disk was left out.
  private var displaced = NumberSet()

  mutating func offer(_ number: Int) { waiting.insert(number) }

  mutating func acknowledge(_ numbers: [Int]) { acknowledged += numbers }

  /// Takes a batch that was posted: it has to be the oldest of what waits.
  mutating func send(_ batch: [Int], _ rig: MachineRig) -> String? {
    let stored = rig.stored
    if rig.machine.skipsDisk, let oldest = stored.filter({ !displaced.contains($0) }).min() {
      displaced.insert(batch.filter { $0 > oldest })
    }
    let ordered = batch.filter { !displaced.contains($0) }
    guard let newest = ordered.last else { return nil }
    if ordered != ordered.sorted() || NumberSet(batch).count < batch.count {
      return "\(batch) is out of order"
    }
    let sent = NumberSet(batch).union(NumberSet(rig.flying)).union(displaced)
    let overtaken = (rig.memory + stored).filter { $0 < newest && !sent.contains($0) }
    return overtaken.isEmpty ? nil : "\(batch) overtakes \(overtaken)"
  }

  /// Compares what is left with what the machine said it delivered or dropped since the last time.
  mutating func settle(_ rig: MachineRig) -> String? {
    var counts = (delivered: 0, dropped: rig.damagedInLog)
    var named: [Int] = []
    for action in rig.log {
      switch action {
      case .delivered(let count): counts.delivered += count
      case .drop(_, let ids, let count):
        if !ids.isEmpty, ids.count != count { return "\(count) dropped, and \(ids)" }
        if count <= 0 { return "a drop of nothing" }
        counts.dropped += count
        for id in ids { named.append(Int(id) ?? 0) }
      case .read, .store, .remove, .clearDisk, .send, .cancel, .disable, .endFlush: break
      }
    }
    var live = NumberSet()
    let isOnce = live.insert(rig.memory) && live.insert(rig.stored)
    if !isOnce { return "\(rig.memory) and \(rig.stored) are kept" }
    if let flying = rig.machine.inFlight {
      let isNew = live.insert(rig.flying)
      if !isNew, flying.source == .memory { return "\(rig.flying) is there twice" }
    }
    let strangers = live.subtracting(waiting)
    if strangers.count > 0 { return "\(strangers.all) came back" }
    if rig.machine.waiting != live.count { return "\(live.all) wait, not \(rig.machine.waiting)" }
    return compare(waiting.subtracting(live), counts, named) ?? conclude(live)
  }

  /// The losses since the last time against those told.
  private func compare(_ gone: NumberSet, _ counts: (delivered: Int, dropped: Int), _ named: [Int]) -> String?
  {
    if gone.count != counts.delivered + counts.dropped {
      return "\(gone.all) are gone, but \(counts.delivered) delivered and \(counts.dropped) dropped"
    }
    if counts.delivered != acknowledged.count {
      return "\(acknowledged) were delivered, but \(counts.delivered) counted"
    }
    guard !named.isEmpty else { return nil }
    let names = NumberSet(named)
    if names.count < named.count || names.subtracting(gone).count > 0 {
      return "\(named) dropped, not \(gone.all)"
    }
    let both = names.intersection(NumberSet(acknowledged))
    return both.count > 0 ? "\(both.all) both delivered and dropped" : nil
  }

  private mutating func conclude(_ live: NumberSet) -> String? {
    for number in acknowledged {
      if live.contains(number) { return "\(number) was delivered and is still there" }
      if !waiting.contains(number) { return "\(number) was delivered twice" }
      delivered.insert(number)
    }
    acknowledged = []
    waiting = live
    return nil
  }

  /// The process ended: what is not on disk is lost, and what could not be removed from there in time is back.
  mutating func crash(disk: [Int], maxBatch: Int) -> String? {
    delivered.insert(acknowledged)
    acknowledged = []
    waiting = NumberSet(disk)
    let repeated = waiting.intersection(delivered)
    delivered = delivered.subtracting(repeated)
    return repeated.count > maxBatch ? "\(repeated.all) will be delivered twice" : nil
  }
}
