import Aggregation
import JSONLines
import Platform

/// The tallies of all metrics of some files.
struct StatsTable: Sendable {
  /// A metric, or one field of it.
  struct Key: Hashable, Sendable {
    let metric: MetricIdentity
    let field: String?
  }

  private(set) var tallies: [Key: MetricTally] = [:]

  /// Adds the tallies of one scanner.
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

  private let selection: SampleSelection
  private let includesFields: Bool
  fileprivate(set) var slots: [Slot] = []

  init(_ selection: SampleSelection, includesFields: Bool) {
    self.selection = selection
    self.includesFields = includesFields
  }

  /// Adds a batch.
  mutating func fold(_ batch: SampleBatch, _ catalogue: MetricCatalogue) {
    while slots.count < catalogue.count {
      let identity = catalogue[MetricID(rawValue: Int32(slots.count))]
      slots.append(Slot(isWanted: selection.admits(identity)))
    }
    let (selection, includesFields) = (selection, includesFields)
    let limitsTime = selection.limitsTime
    slots.withUnsafeMutableBufferPointer { slots in
      for sample in batch.samples {
        let index = Int(sample.metric.rawValue)
        guard slots[index].isWanted else { continue }
        if limitsTime, sample.time < selection.since || sample.time > selection.until { continue }
        // Most samples are numbers; a mispredicted branch would cost more than this repetition.
        if sample.kind == .number {
          slots[index].tally.record(number: sample.value, time: sample.time)
          continue
        }
        Self.record(sample, of: batch, fields: includesFields, into: &slots[index])
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
    _ object: ArraySlice<UInt8>, _ time: Timestamp, into fields: inout [String: MetricTally]
  ) {
    StructFields.forEach(in: object) { name, value in
      switch value {
      case .number(let number): fields[name, default: MetricTally()].record(number: number, time: time)
      case .bool, .text, .null: fields[name, default: MetricTally()].record(time: time)
      }
    }
  }
}
