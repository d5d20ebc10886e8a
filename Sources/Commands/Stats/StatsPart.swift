import JSONLines
import Platform
import QueryLanguage

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
  /// The times of all samples, chosen or not; kept only for a query.
  private(set) var span: ClosedRange<Timestamp>?
  /// What there was to choose from; kept only where metrics are chosen.
  private(set) var met = EmptySelection(of: "metric", seesFields: true)

  init(_ selection: SampleSelection, includesFields: Bool) {
    self.selection = selection
    self.includesFields = includesFields
  }

  /// Adds a batch.
  mutating func fold(_ batch: SampleBatch, _ catalogue: MetricCatalogue) {
    meet(catalogue)
    if let query = selection.query { return fold(batch, catalogue, chosenBy: query) }
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

  private mutating func meet(_ catalogue: MetricCatalogue) {
    while slots.count < catalogue.count {
      let identity = catalogue[MetricID(rawValue: Int32(slots.count))]
      if selection.limitsMetrics { met.note(identity) }
      // A field has a name of its own, which is known when it is met.
      let isWanted = includesFields ? selection.isNamed(identity) : selection.admits(identity)
      slots.append(Slot(isWanted: isWanted))
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

// MARK: Queries

extension StatsPart {
  /// Adds what a query chooses, with what its figures need besides.
  private mutating func fold(_ batch: SampleBatch, _ catalogue: MetricCatalogue, chosenBy query: Query) {
    let isLimited = selection.limitsTime
    for sample in batch.samples {
      if isLimited, sample.time < selection.since || sample.time > selection.until { continue }
      span = span.merging(sample.time...sample.time)
      let index = Int(sample.metric.rawValue)
      guard slots[index].isWanted, !query.needsFields || isChosen(sample, of: batch, catalogue, query) else {
        continue
      }
      Self.record(sample, of: batch, fields: includesFields, into: &slots[index])
      if query.needsFigures { Self.noteNewest(sample, of: batch, fields: includesFields, in: &slots[index]) }
    }
  }

  private mutating func isChosen(
    _ sample: Sample, of batch: SampleBatch, _ catalogue: MetricCatalogue, _ query: Query
  ) -> Bool {
    let fields = FieldSample(
      sample, name: catalogue[sample.metric].fullName, payload: batch.payload(of: sample),
      fields: query.fields, met: { met.note(field: $0) })
    return query.matches(fieldsOf: fields)
  }

  private static func noteNewest(
    _ sample: Sample, of batch: SampleBatch, fields: Bool, in slot: inout Slot
  ) {
    switch sample.kind {
    case .number, .wideInteger: slot.tally.noteNewest(sample.value, time: sample.time)
    case .object where fields:
      StructFields.forEach(in: batch.payload(of: sample)) { name, value in
        guard case .number(let number) = value else { return }
        slot.fields[name]?.noteNewest(number, time: sample.time)
      }
    case .bool, .text, .null, .array, .object: break
    }
  }
}

extension ClosedRange<Timestamp>? {
  /// The range from the start of the one to the end of the other.
  func merging(_ other: ClosedRange<Timestamp>?) -> ClosedRange<Timestamp>? {
    guard let self, let other else { return self ?? other }
    return min(self.lowerBound, other.lowerBound)...max(self.upperBound, other.upperBound)
  }
}
