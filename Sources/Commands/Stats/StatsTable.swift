import Aggregation
import JSONLines

/// The tallies of all metrics of some files.
struct StatsTable: Sendable {
  /// Which samples count.
  struct Filter: Sendable {
    var since = -Double.infinity
    var until = Double.infinity
    /// Only metrics of this bucket; the empty text means those without one.
    var bucket: String?
    /// Only metrics of this name.
    var metric: String?
    /// Whether the fields of structs get rows of their own.
    var fields = false

    func admits(_ identity: MetricIdentity) -> Bool {
      if let bucket, bucket != identity.bucket ?? "" { return false }
      return metric == nil || metric == identity.name
    }

    /// All times that count.
    var window: Range<Double> { since..<max(since, until.nextUp) }

    var limitsTime: Bool { since > -.infinity || until < .infinity }
  }

  /// A metric, or one field of it.
  struct Key: Hashable, Sendable {
    let metric: MetricIdentity
    let field: String?
  }

  let filter: Filter
  private(set) var tallies: [Key: MetricTally] = [:]

  init(filter: Filter) {
    self.filter = filter
  }

  /// Takes in what one scanner has found.
  mutating func merge(_ part: StatsPart, _ catalogue: MetricCatalogue) {
    for (index, slot) in part.slots.enumerated() where slot.tally.count > 0 {
      let identity = catalogue[MetricID(rawValue: Int32(index))]
      tallies[Key(metric: identity, field: nil), default: MetricTally()].merge(slot.tally)
      for (field, tally) in slot.fields {
        tallies[Key(metric: identity, field: field), default: MetricTally()].merge(tally)
      }
    }
  }
}

/// The tallies of one scanner's metrics, by their number in its catalogue.
struct StatsPart: Sendable {
  struct Slot: Sendable {
    var isWanted = true
    var tally = MetricTally()
    var fields: [String: MetricTally] = [:]
  }

  let filter: StatsTable.Filter
  fileprivate(set) var slots: [Slot] = []

  init(filter: StatsTable.Filter) {
    self.filter = filter
  }

  /// Takes in a batch.
  mutating func fold(_ batch: SampleBatch, _ catalogue: MetricCatalogue) {
    while slots.count < catalogue.count {
      let identity = catalogue[MetricID(rawValue: Int32(slots.count))]
      slots.append(Slot(isWanted: filter.admits(identity)))
    }
    let filter = self.filter
    let limitsTime = filter.limitsTime
    slots.withUnsafeMutableBufferPointer { slots in
      for sample in batch.samples {
        let index = Int(sample.metric.rawValue)
        guard slots[index].isWanted else { continue }
        if limitsTime, sample.time < filter.since || sample.time > filter.until { continue }
        // By far the most are numbers; a jump that cannot be foreseen costs more than it saves.
        if sample.kind == .number {
          slots[index].tally.record(number: sample.value, time: sample.time)
          continue
        }
        Self.record(sample, of: batch, fields: filter.fields, into: &slots[index])
      }
    }
  }

  @inline(never)
  private static func record(_ sample: Sample, of batch: SampleBatch, fields: Bool, into slot: inout Slot) {
    switch sample.kind {
    case .number: slot.tally.record(number: sample.value, time: sample.time)
    case .wideInteger:
      slot.tally.record(wide: batch.payload(of: sample), number: sample.value, time: sample.time)
    case .bool, .text, .null, .array: slot.tally.record(time: sample.time)
    case .object:
      slot.tally.record(time: sample.time)
      if fields { fold(batch.payload(of: sample), sample.time, into: &slot.fields) }
    }
  }

  private static func fold(
    _ object: ArraySlice<UInt8>, _ time: Double, into fields: inout [String: MetricTally]
  ) {
    StructFields.forEach(in: object) { name, value in
      switch value {
      case .number(let number): fields[name, default: MetricTally()].record(number: number, time: time)
      case .bool, .text, .null: fields[name, default: MetricTally()].record(time: time)
      }
    }
  }
}
