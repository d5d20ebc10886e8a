@testable import Delivery

/// Where every event of a model run is, or what became of it.
struct EventAccount {
  enum Fate: Hashable { case waiting, delivered, dropped, lost }

  private(set) var fates: [Int: Fate] = [:]
  private(set) var waiting: Set<Int> = []
  /// What the server took since the last check.
  private var acknowledged: [Int] = []
  /// Events that overtook others while the disk was left out.
  private var displaced: Set<Int> = []

  mutating func offer(_ number: Int) {
    fates[number] = .waiting
    waiting.insert(number)
  }

  mutating func acknowledge(_ numbers: [Int]) { acknowledged += numbers }

  /// Takes a batch that was posted: it has to be the oldest of what waits.
  mutating func send(_ batch: [Int], _ rig: MachineRig) -> String? {
    let stored = rig.disk.numbers.suffix(rig.machine.stored).filter { !displaced.contains($0) }
    if rig.machine.skipsDisk, let oldest = stored.min() { displaced.formUnion(batch.filter { $0 > oldest }) }
    let ordered = batch.filter { !displaced.contains($0) }
    guard let newest = ordered.last else { return nil }
    if ordered != ordered.sorted() || Set(batch).count < batch.count { return "\(batch) is out of order" }
    let sent = Set(batch).union(rig.flying).union(displaced)
    let overtaken = (rig.memory + stored).filter { $0 < newest && !sent.contains($0) }
    return overtaken.isEmpty ? nil : "\(batch) overtakes \(overtaken)"
  }

  /// Compares what is left with what the machine said it delivered or dropped since the last time.
  mutating func settle(_ rig: MachineRig) -> String? {
    var counted = rig.damagedInLog
    for action in rig.log {
      switch action {
      case .delivered(let count): counted += count
      case .drop(_, let ids, let count):
        if !ids.isEmpty, ids.count != count { return "\(count) dropped, and \(ids)" }
        if count <= 0 { return "a drop of nothing" }
        counted += count
      case .read, .store, .remove, .clearDisk, .send, .cancel, .disable, .endFlush: break
      }
    }
    let machine = rig.machine
    let kept = rig.memory + rig.disk.numbers.suffix(machine.stored)
    var live = Set(kept)
    if live.count < kept.count { return "\(kept) are kept" }
    if let flying = machine.inFlight {
      if flying.source == .memory, !live.isDisjoint(with: rig.flying) {
        return "\(rig.flying) is there twice"
      }
      live.formUnion(rig.flying)
    }
    if !live.isSubset(of: waiting) { return "\(live.subtracting(waiting)) came back" }
    if waiting.count - live.count != counted {
      return "\(waiting.subtracting(live)) are gone, but \(counted) were counted"
    }
    if machine.waiting != live.count { return "\(live.sorted()) wait, not \(machine.waiting)" }
    return counted > 0 || !acknowledged.isEmpty ? conclude(live) : nil
  }

  private mutating func conclude(_ live: Set<Int>) -> String? {
    for number in waiting.subtracting(live) { fates[number] = .dropped }
    for number in acknowledged {
      if live.contains(number) { return "\(number) was delivered and is still there" }
      if fates[number] != .dropped { return "\(number) was delivered twice" }
      fates[number] = .delivered
    }
    acknowledged = []
    waiting = live
    return nil
  }

  /// The process ended: what is not on disk is lost, and what could not be removed from there in time is back.
  mutating func crash(disk: [Int], maxBatch: Int) -> String? {
    for number in acknowledged { fates[number] = .delivered }
    acknowledged = []
    let repeated = disk.filter { fates[$0] == .delivered }
    if repeated.count > maxBatch { return "\(repeated) will be delivered twice" }
    for number in waiting.subtracting(disk) where fates[number] == .waiting { fates[number] = .lost }
    waiting = Set(disk)
    for number in disk { fates[number] = .waiting }
    return nil
  }
}
