import Aggregation
import Codecs
import DashboardCore

/// All series of a store in the order of their rows, each with its row.
///
/// Whatever is filtered or folded: that changes with every key, and the order of a hundred thousand names does not.
struct LiveListing: Sendable {
  /// How the rows stand.
  enum Form: Hashable, Sendable {
    /// Under their buckets and structs.
    case tree
    /// One after another, by their whole names.
    case list
    /// The same, by the last part of the name where that is enough.
    case shortList
  }

  let form: Form
  /// In the tree those of one bucket, and in it those of one struct, stand together.
  let entries: [LiveEntry]

  /// - Parameters:
  ///   - ranks: The place of each series after the person sorted; series without one follow by name.
  ///   - units: What the person told of units, by `bucket.name`.
  init(
    _ store: SeriesStore, form: Form, ranks: [SeriesIdentity: Int] = [:], units: [String: ValueUnit] = [:]
  ) {
    let isTree = form == .tree
    let series = store.allSeries.compactMap { id in
      store.identity(of: id).map { identity in
        OrderedSeries(
          id: id, identity: identity, rank: ranks.isEmpty ? .max : ranks[identity] ?? .max,
          isEngine: !isTree && identity.isEngineRecord)
      }
    }
    .sorted()
    let labels = RowLabels(series.map(\.identity), form: form)
    let entries = series.map { series in
      let identity = series.identity
      return LiveEntry(
        row: LiveRow(
          id: .series(identity), series: series.id,
          depth: isTree ? identity.field == nil ? 2 : 4 : 0, label: labels.label(of: identity), fold: .leaf,
          hidden: 0, unit: identity.unit(units)),
        id: series.id, identity: identity)
    }
    self.form = form
    self.entries = isTree ? Self.grouped(entries) : entries
  }

  init() { (form, entries) = (.tree, []) }

  /// Puts those of one bucket and one struct together, where the first of them stands.
  private static func grouped(_ entries: [LiveEntry]) -> [LiveEntry] {
    var buckets: [String?: Int] = [:]
    var structures: [RowID: Int] = [:]
    var places: [(bucket: Int, metric: Int, index: Int)] = []
    var entries = entries
    for index in entries.indices {
      let identity = entries[index].identity
      let bucket = buckets[identity.bucket] ?? buckets.count
      buckets[identity.bucket] = bucket
      entries[index].bucket = bucket
      guard identity.field != nil else {
        places.append((bucket, index, index))
        continue
      }
      let first = structures[identity.structure] ?? index
      structures[identity.structure] = first
      entries[index].structure = first
      places.append((bucket, first, index))
    }
    return places.sorted { $0 < $1 }.map { entries[$0.index] }
  }
}

/// A series with its row.
struct LiveEntry: Sendable {
  let row: LiveRow
  let id: SeriesID
  let identity: SeriesIdentity
  /// `bucket.name`, or `bucket.name.field`.
  let name: String
  /// Which bucket, and which struct of it, in the tree.
  fileprivate(set) var bucket = 0
  fileprivate(set) var structure: Int?

  fileprivate init(row: LiveRow, id: SeriesID, identity: SeriesIdentity) {
    (self.row, self.id, self.identity) = (row, id, identity)
    name = identity.fullName
  }
}

/// A series with what orders it.
private struct OrderedSeries: Comparable {
  let id: SeriesID
  let identity: SeriesIdentity
  let rank: Int
  /// True if it is a field of what an engine records, which has a screen of its own.
  let isEngine: Bool

  static func < (a: OrderedSeries, b: OrderedSeries) -> Bool {
    if a.rank != b.rank { return a.rank < b.rank }
    if a.isEngine != b.isEngine { return b.isEngine }
    return a.identity.isListed(before: b.identity)
  }

  static func == (a: OrderedSeries, b: OrderedSeries) -> Bool { a.id == b.id }
}

/// Labels of rows, chosen so that no two of them are the same.
private struct RowLabels {
  private let form: LiveListing.Form
  /// Names that occur with several types, which are then shown with their type.
  private var ambiguous: Set<String> = []
  /// How many have the last part of a name, and how many the name without its bucket.
  private var shorts: [String: Int] = [:]
  private var labels: [String: Int] = [:]

  init(_ identities: [SeriesIdentity], form: LiveListing.Form) {
    self.form = form
    var types: [String: String] = [:]
    for identity in identities {
      let name = identity.fullName
      if let known = types.updateValue(identity.typeName, forKey: name), known != identity.typeName {
        ambiguous.insert(name)
      }
      guard form == .shortList else { continue }
      shorts[identity.shortName, default: 0] += 1
      labels[identity.label, default: 0] += 1
    }
  }

  func label(of identity: SeriesIdentity) -> String {
    let name =
      switch form {
      case .tree: identity.field ?? identity.label
      case .list: identity.fullName
      // Two metrics of one name keep their parents, or no one could tell them apart.
      case .shortList where shorts[identity.shortName] == 1: identity.shortName
      case .shortList where labels[identity.label] == 1: identity.label
      case .shortList: identity.fullName
      }
    // Under its struct, whose type is shown nowhere, a field needs no type.
    guard !ambiguous.isEmpty, form != .tree || identity.field == nil,
      ambiguous.contains(identity.fullName)
    else { return name }
    return name + ":\(identity.typeName)"
  }
}
