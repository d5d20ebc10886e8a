import Aggregation
import Codecs
import DashboardCore

/// All series of a store in row order, each with its row.
///
/// Independent of filter and folding: those change with every key, while the order of a hundred thousand names does
/// not.
struct LiveListing: Sendable {
  /// The arrangement of the rows.
  enum Form: Hashable, Sendable {
    /// Grouped by bucket and struct.
    case tree
    /// Flat, by full name.
    case list
    /// Flat, by the last part of the name where that is unique.
    case shortList
  }

  let form: Form
  /// In the tree, entries of one bucket are adjacent, and within it those of one struct.
  let entries: [LiveEntry]

  /// - Parameters:
  ///   - ranks: The place of each series after the user sorted; series without a rank follow by name.
  ///   - units: Units set by the user, by `bucket.name`.
  init(
    _ store: SeriesStore, form: Form, ranks: [SeriesIdentity: Int] = [:], units: [String: ValueUnit] = [:]
  ) {
    let isTree = form == .tree
    let series = store.allSeries.compactMap { id -> OrderedSeries? in
      guard let identity = store.identity(of: id), !identity.isPayloadText else { return nil }
      return OrderedSeries(
        id: id, identity: identity, rank: ranks.isEmpty ? .max : ranks[identity] ?? .max,
        isEngine: !isTree && identity.isEngineRecord)
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

  /// Moves entries of the same bucket and struct next to the first of them.
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
  /// The indexes of the bucket, and of the struct in it, in the tree.
  fileprivate(set) var bucket = 0
  fileprivate(set) var structure: Int?

  fileprivate init(row: LiveRow, id: SeriesID, identity: SeriesIdentity) {
    (self.row, self.id, self.identity) = (row, id, identity)
    name = identity.fullName
  }
}

/// A series and its sort criteria.
private struct OrderedSeries: Comparable {
  let id: SeriesID
  let identity: SeriesIdentity
  let rank: Int
  /// True for a field of an engine's records, which have a screen of their own.
  let isEngine: Bool

  static func < (a: OrderedSeries, b: OrderedSeries) -> Bool {
    if a.rank != b.rank { return a.rank < b.rank }
    if a.isEngine != b.isEngine { return b.isEngine }
    return a.identity.isListed(before: b.identity)
  }

  static func == (a: OrderedSeries, b: OrderedSeries) -> Bool { a.id == b.id }
}

/// Unique labels of rows.
private struct RowLabels {
  private let form: LiveListing.Form
  /// Names that occur with several types, which are therefore shown with their type.
  private var ambiguous: Set<String> = []
  /// Occurrences of each last part of a name, and of each name without its bucket.
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
      // Two metrics of the same name keep their parents as a distinction.
      case .shortList where shorts[identity.shortName] == 1: identity.shortName
      case .shortList where labels[identity.label] == 1: identity.label
      case .shortList: identity.fullName
      }
    // A field under its struct needs no type: the struct shows none either.
    guard !ambiguous.isEmpty, form != .tree || identity.field == nil,
      ambiguous.contains(identity.fullName)
    else { return name }
    return name + ":\(identity.typeName)"
  }
}
