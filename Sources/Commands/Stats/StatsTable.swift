import Aggregation
import JSONLines
import Platform

/// The tallies of all metrics of some files.
struct StatsTable: KeptNumbers, Sendable {
  /// A metric, or one of its fields.
  struct Key: Hashable, Sendable {
    let metric: MetricIdentity
    let field: String?
  }

  /// The indices of the tallies, which are stored separately because a dictionary reserves twice the space it needs.
  private(set) var places: [Key: Int] = [:]
  private(set) var tallies: [MetricTally] = []
  /// The time range of all samples read, selected or not; recorded only for a query.
  private(set) var span: ClosedRange<Timestamp>?
  /// The candidates of the selection, if there is one.
  private(set) var met = EmptySelection(of: "metric", seesFields: true)

  /// Maximum numbers kept.
  private let limit: Int

  init(limit: Int = keptNumbersLimit) {
    self.limit = limit
  }

  var keptCount: Int { tallies.reduce(0) { $0 + $1.numbers.keptCount } }

  mutating func giveUpNumbers(above limit: Int) {
    for place in tallies.indices { tallies[place].giveUpNumbers(above: limit) }
  }

  /// Adds the tallies of one scanner.
  mutating func merge(_ part: StatsPart, _ catalogue: MetricCatalogue) {
    span = span.merging(part.span)
    met.merge(part.met)
    for (index, slot) in part.slots.enumerated() where slot.tally.count > 0 {
      let identity = catalogue[MetricID(rawValue: Int32(index))]
      merge(slot.tally, of: Key(metric: identity, field: nil))
      for (field, tally) in slot.fields.all {
        merge(tally, of: Key(metric: identity, field: field))
      }
    }
    if keptCount > limit { shrink(to: limit) }
  }

  private mutating func merge(_ tally: MetricTally, of key: Key) {
    if let place = places[key] { return tallies[place].merge(tally) }
    places[key] = tallies.count
    tallies.append(tally)
  }

  mutating func removeAll() { (places, tallies) = ([:], []) }
}
