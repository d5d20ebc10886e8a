import Aggregation
import JSONLines
import Platform

/// The tallies of all metrics of some files.
struct StatsTable: KeptNumbers, Sendable {
  /// A metric, or one field of it.
  struct Key: Hashable, Sendable {
    let metric: MetricIdentity
    let field: String?
  }

  var tallies: [Key: MetricTally] = [:]
  /// The times of all samples that were read, chosen or not; kept only for a query.
  private(set) var span: ClosedRange<Timestamp>?
  /// What there was to choose from, where something is chosen.
  private(set) var met = EmptySelection(of: "metric", seesFields: true)

  /// How many numbers are kept, at most.
  private let limit: Int

  init(limit: Int = keptNumbersLimit) {
    self.limit = limit
  }

  var keptCount: Int { tallies.values.reduce(0) { $0 + $1.numbers.keptCount } }

  mutating func giveUpNumbers(above limit: Int) {
    for key in tallies.keys { tallies[key]?.giveUpNumbers(above: limit) }
  }

  /// Adds the tallies of one scanner.
  mutating func merge(_ part: StatsPart, _ catalogue: MetricCatalogue) {
    span = span.merging(part.span)
    met.merge(part.met)
    for (index, slot) in part.slots.enumerated() where slot.tally.count > 0 {
      let identity = catalogue[MetricID(rawValue: Int32(index))]
      tallies[Key(metric: identity, field: nil), default: MetricTally()].merge(slot.tally)
      for (field, tally) in slot.fields.all {
        tallies[Key(metric: identity, field: field), default: MetricTally()].merge(tally)
      }
    }
    if keptCount > limit { shrink(to: limit) }
  }
}
