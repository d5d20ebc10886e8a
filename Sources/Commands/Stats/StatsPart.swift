import Aggregation
import History
import JSONLines
import Platform
import QueryLanguage

/// The tallies of one scanner's metrics, by their index in its catalogue.
struct StatsPart: KeptNumbers, Sendable {
  struct Slot: Sendable {
    var isWanted = true
    var includesFields = false
    /// True for a figure of payloads, which is one number or histogram, whatever fields its lines have.
    var isPayloadFigure = false
    var tally = MetricTally()
    var fields = FieldTallies()
  }

  private let selection: SampleSelection
  private let includesFields: Bool
  fileprivate(set) var slots: [Slot] = []
  /// The time range of all samples, selected or not; recorded only for a query.
  private(set) var span: ClosedRange<Timestamp>?
  /// The candidates of the selection; recorded only if metrics are filtered.
  private(set) var met = EmptySelection(of: "metric", seesFields: true)

  /// Maximum numbers kept.
  private let limit: Int
  /// Samples left until the limit is checked again.
  private var untilLook: Int

  init(_ selection: SampleSelection, includesFields: Bool, limit: Int = keptNumbersLimit) {
    self.selection = selection
    self.includesFields = includesFields
    (self.limit, untilLook) = (limit, limit / 2)
  }

  mutating func fold(_ batch: SampleBatch, _ catalogue: MetricCatalogue) {
    tally(batch, catalogue)
    untilLook -= batch.samples.count
    // A line with a histogram has many numbers.
    guard untilLook <= 0 || slots.contains(where: \.isPayloadFigure) else { return }
    untilLook = limit / 2
    if keptCount > limit / 2 { shrink(to: limit) }
  }

  private mutating func tally(_ batch: SampleBatch, _ catalogue: MetricCatalogue) {
    meet(catalogue)
    if let query = selection.query { return fold(batch, catalogue, chosenBy: query) }
    let selection = selection
    let limitsTime = selection.limitsTime
    slots.withUnsafeMutableBufferPointer { slots in
      for sample in batch.samples {
        let index = Int(sample.metric.rawValue)
        guard slots[index].isWanted else { continue }
        if limitsTime, sample.time < selection.since || sample.time > selection.until { continue }
        // Most samples are numbers; a mispredicted branch would cost more than this duplication.
        if sample.kind == .number {
          slots[index].tally.record(number: sample.value, time: sample.time)
          continue
        }
        Self.record(sample, of: batch, into: &slots[index])
      }
    }
  }

  private mutating func meet(_ catalogue: MetricCatalogue) {
    while slots.count < catalogue.count {
      let identity = catalogue[MetricID(rawValue: Int32(slots.count))]
      if selection.limitsMetrics { met.note(identity) }
      // A field has a name of its own, so it is matched when it is read. Other programs write their numbers as fields.
      let includesFields = includesFields || identity.isForeign
      let isWanted = includesFields ? selection.isNamed(identity) : selection.admits(identity)
      slots.append(
        Slot(
          isWanted: isWanted, includesFields: includesFields,
          isPayloadFigure: PayloadFigureValue.isRecorded(in: identity)))
    }
  }

  @inline(never)
  private static func record(
    _ sample: Sample, of batch: SampleBatch, notesNewest: Bool = false, into slot: inout Slot
  ) {
    if notesNewest, sample.kind == .number || sample.kind == .wideInteger {
      slot.tally.noteNewest(sample.value, time: sample.time)
    }
    switch sample.kind {
    case .number: slot.tally.record(number: sample.value, time: sample.time)
    case .wideInteger:
      slot.tally.record(wide: batch.payload(of: sample), number: sample.value, time: sample.time)
    case .bool, .text, .null, .array: slot.tally.record(time: sample.time)
    case .object:
      if slot.isPayloadFigure, let figure = PayloadFigureValue(batch.payload(of: sample)) {
        slot.tally.record(figure, time: sample.time)
        if notesNewest, case .number(let number) = figure.value {
          slot.tally.noteNewest(number, time: sample.time)
        }
        return
      }
      slot.tally.record(time: sample.time)
      if slot.includesFields {
        slot.fields.record(batch.payload(of: sample), at: sample.time, notesNewest: notesNewest)
      }
    }
  }
}

extension StatsPart {
  var keptCount: Int { slots.reduce(0) { $0 + $1.tally.numbers.keptCount + $1.fields.keptCount } }

  mutating func giveUpNumbers(above limit: Int) {
    for place in slots.indices {
      slots[place].tally.giveUpNumbers(above: limit)
      slots[place].fields.giveUpNumbers(above: limit)
    }
  }
}

// MARK: Queries

extension StatsPart {
  /// Adds the samples selected by a query, with the data that its figures need.
  private mutating func fold(_ batch: SampleBatch, _ catalogue: MetricCatalogue, chosenBy query: Query) {
    let isLimited = selection.limitsTime
    for sample in batch.samples {
      if isLimited, sample.time < selection.since || sample.time > selection.until { continue }
      span = span.merging(sample.time...sample.time)
      let index = Int(sample.metric.rawValue)
      guard slots[index].isWanted, !query.needsFields || isChosen(sample, of: batch, catalogue, query) else {
        continue
      }
      Self.record(sample, of: batch, notesNewest: query.needsFigures, into: &slots[index])
    }
  }

  private mutating func isChosen(
    _ sample: Sample, of batch: SampleBatch, _ catalogue: MetricCatalogue, _ query: Query
  ) -> Bool {
    let fields = FieldSample(
      sample, of: catalogue[sample.metric], payload: batch.payload(of: sample), fields: query.fields,
      origins: selection.origins, met: { met.note(field: $0) })
    return query.matches(fieldsOf: fields)
  }
}

extension ClosedRange<Timestamp>? {
  /// The smallest range that contains both.
  func merging(_ other: ClosedRange<Timestamp>?) -> ClosedRange<Timestamp>? {
    guard let self, let other else { return self ?? other }
    return min(self.lowerBound, other.lowerBound)...max(self.upperBound, other.upperBound)
  }
}
