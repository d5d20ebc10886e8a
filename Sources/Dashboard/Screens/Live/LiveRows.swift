import Aggregation
import Codecs

/// Builds the rows of the tree or the flat list from the series of a store.
struct LiveRows {
  let store: SeriesStore
  /// Collapsed rows.
  let folded: Set<RowID>
  /// What lets a series through; `nil` for all of them.
  var matcher: SeriesMatcher?
  /// The place of each series after the person sorted; series without one follow by name.
  let ranks: [SeriesIdentity: Int]
  let isFlat: Bool
  /// Whether the flat list leaves the buckets out.
  var isShort = false
  /// Series that share one row at the end of the flat list.
  var idle: Set<SeriesIdentity> = []
  /// Whether they are listed under it.
  var showsIdle = false
  /// What the person told of units, by `bucket.name`.
  var units: [String: ValueUnit] = [:]

  private struct Entry {
    let id: SeriesID
    let identity: SeriesIdentity
    let rank: Int
    /// Whether it is a field of what an engine records, which has a screen of its own.
    let isEngine: Bool
  }

  /// All rows in their order.
  var rows: [LiveRow] {
    let entries = store.allSeries.compactMap { id -> Entry? in
      guard let identity = store.identity(of: id), matcher?.matches(identity, id: id) ?? true else {
        return nil
      }
      return Entry(
        id: id, identity: identity, rank: ranks[identity] ?? .max,
        isEngine: isFlat && AnomalyScanner.isEngineRecord(identity))
    }
    .sorted(by: Self.isBefore)
    return isFlat ? flat(entries) : tree(entries)
  }

  private static func isBefore(_ a: Entry, _ b: Entry) -> Bool {
    if a.rank != b.rank { return a.rank < b.rank }
    if a.isEngine != b.isEngine { return b.isEngine }
    return a.identity.isListed(before: b.identity)
  }

  private func flat(_ entries: [Entry]) -> [LiveRow] {
    let names = ambiguous(entries)
    let shorts = Dictionary(grouping: isShort ? entries : [], by: \.identity.shortName)
    let labels = Dictionary(grouping: isShort ? entries : [], by: \.identity.label)
    // Who filters wants to see all that fits.
    let isIdle = { (entry: Entry) in matcher == nil && idle.contains(entry.identity) }
    let quiet = entries.filter(isIdle)
    let rows = { (entry: Entry) in
      // Two metrics of one name keep their parents, or no one could tell them apart.
      let identity = entry.identity
      let isAlone = shorts[identity.shortName]?.count == 1
      let name =
        isAlone ? identity.shortName : labels[identity.label]?.count == 1 ? identity.label : identity.fullName
      return row(entry, label: name + suffix(entry.identity, names), depth: 0)
    }
    guard !quiet.isEmpty else { return entries.map(rows) }
    let head = LiveRow(
      id: .idle, series: nil, depth: 0, label: "+\(quiet.count) silent",
      fold: showsIdle ? .expanded : .collapsed, hidden: 0, unit: .plain)
    return entries.filter { !isIdle($0) }.map(rows) + [head] + (showsIdle ? quiet.map(rows) : [])
  }

  /// Names that occur with several types, which are then shown with their type.
  private func ambiguous(_ entries: [Entry]) -> Set<String> {
    var types: [String: String] = [:]
    var names: Set<String> = []
    for entry in entries {
      let name = entry.identity.fullName
      if let known = types[name], known != entry.identity.typeName { names.insert(name) }
      types[name] = entry.identity.typeName
    }
    return names
  }

  private func suffix(_ identity: SeriesIdentity, _ names: Set<String>) -> String {
    names.contains(identity.fullName) ? ":\(identity.typeName)" : ""
  }

  private func row(_ entry: Entry, label: String, depth: Int) -> LiveRow {
    LiveRow(
      id: .series(entry.identity), series: entry.id, depth: depth, label: label, fold: .leaf, hidden: 0,
      unit: entry.identity.unit(units))
  }

  private func tree(_ entries: [Entry]) -> [LiveRow] {
    var order: [String?] = []
    var members: [String?: [Entry]] = [:]
    for entry in entries {
      if members[entry.identity.bucket] == nil { order.append(entry.identity.bucket) }
      members[entry.identity.bucket, default: []].append(entry)
    }
    let names = ambiguous(entries)
    return order.flatMap { bucket -> [LiveRow] in
      let inside = members[bucket] ?? []
      let id = RowID.bucket(bucket)
      let isFolded = folded.contains(id)
      let head = LiveRow(
        id: id, series: nil, depth: 0, label: bucket ?? "(no bucket)",
        fold: isFolded ? .collapsed : .expanded,
        hidden: isFolded ? inside.count : 0, unit: .plain)
      return isFolded ? [head] : [head] + metrics(inside, names)
    }
  }

  private func metrics(_ entries: [Entry], _ names: Set<String>) -> [LiveRow] {
    var rows: [LiveRow] = []
    // Gathered in one pass: a bucket may hold thousands of structs.
    var fields: [RowID: [Entry]] = [:]
    for entry in entries where entry.identity.field != nil {
      fields[entry.identity.structure, default: []].append(entry)
    }
    for entry in entries {
      guard entry.identity.field != nil else {
        rows.append(row(entry, label: entry.identity.label + suffix(entry.identity, names), depth: 2))
        continue
      }
      let parent = entry.identity.structure
      if let inside = fields.removeValue(forKey: parent) { rows += structure(parent, inside) }
    }
    return rows
  }

  private func structure(_ id: RowID, _ fields: [Entry]) -> [LiveRow] {
    guard let name = fields.first?.identity.name else { return [] }
    let isFolded = folded.contains(id)
    let head = LiveRow(
      id: id, series: nil, depth: 2, label: name, fold: isFolded ? .collapsed : .expanded,
      hidden: isFolded ? fields.count : 0, unit: .plain)
    guard !isFolded else { return [head] }
    return [head] + fields.map { row($0, label: $0.identity.field ?? "", depth: 4) }
  }
}
