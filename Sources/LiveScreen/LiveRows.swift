import Aggregation
import Codecs
import DashboardCore

/// Builds the rows of the tree or of the flat list from all series.
struct LiveRows {
  let listing: LiveListing
  /// Collapsed rows.
  var folded: Set<RowID> = []
  /// The matcher that admits series; `nil` to admit all of them.
  var matcher: SeriesMatcher?
  /// Series that share one row at the end of the flat list.
  var idle: Set<SeriesIdentity> = []
  /// True if they are listed under that row.
  var showsIdle = false

  /// All rows in order.
  var rows: [LiveRow] {
    var entries = listing.entries[...]
    if let matcher {
      entries = entries.filter { matcher.matches($0.identity, name: $0.name, id: $0.id) }[...]
    }
    return listing.form == .tree ? tree(entries) : flat(entries)
  }

  private func flat(_ entries: ArraySlice<LiveEntry>) -> [LiveRow] {
    // A filter shows all matching rows, idle or not.
    guard matcher == nil, !idle.isEmpty else { return entries.map(\.row) }
    let quiet = entries.filter { idle.contains($0.identity) }
    guard !quiet.isEmpty else { return entries.map(\.row) }
    let head = LiveRow(
      id: .idle, series: nil, depth: 0, label: "+\(quiet.count) silent",
      fold: showsIdle ? .expanded : .collapsed, hidden: 0, unit: .plain)
    let busy = entries.filter { !idle.contains($0.identity) }
    return busy.map(\.row) + [head] + (showsIdle ? quiet.map(\.row) : [])
  }

  private func tree(_ entries: ArraySlice<LiveEntry>) -> [LiveRow] {
    var rows: [LiveRow] = []
    rows.reserveCapacity(entries.count)
    var rest = entries
    while let first = rest.first {
      let inside = rest.prefix { $0.bucket == first.bucket }
      rest = rest[inside.endIndex...]
      let bucket = first.identity.bucket
      let isOpen = appendHead(
        .bucket(bucket), label: bucket ?? "(no bucket)", depth: 0, count: inside.count, to: &rows)
      if isOpen { append(metrics: inside, to: &rows) }
    }
    return rows
  }

  private func append(metrics entries: ArraySlice<LiveEntry>, to rows: inout [LiveRow]) {
    var rest = entries
    while let first = rest.first {
      guard let structure = first.structure else {
        rows.append(first.row)
        rest.removeFirst()
        continue
      }
      let fields = rest.prefix { $0.structure == structure }
      rest = rest[fields.endIndex...]
      let identity = first.identity
      if appendHead(identity.structure, label: identity.name, depth: 2, count: fields.count, to: &rows) {
        rows += fields.lazy.map(\.row)
      }
    }
  }

  /// - Returns: True if its children follow.
  private func appendHead(
    _ id: RowID, label: String, depth: Int, count: Int, to rows: inout [LiveRow]
  ) -> Bool {
    let isFolded = folded.contains(id)
    rows.append(
      LiveRow(
        id: id, series: nil, depth: depth, label: label, fold: isFolded ? .collapsed : .expanded,
        hidden: isFolded ? count : 0, unit: .plain))
    return !isFolded
  }
}
