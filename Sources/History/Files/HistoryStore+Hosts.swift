import Aggregation
import Platform

/// One host of a history.
struct HistoryHost: Sendable {
  let name: String
  /// The places of its files among all files.
  let places: [Int]
}

// The comparison of hosts.
extension HistoryStore {
  /// Groups files by host, in the order of their first files.
  static func hosts(of files: [HistoryFile]) -> [HistoryHost] {
    var places: [String: [Int]] = [:]
    let names = HostNames.hosts(ofFiles: files.map(\.name))
    for (place, name) in names.enumerated() { places[name, default: []].append(place) }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }.map { HistoryHost(name: $0, places: places[$0] ?? []) }
  }

  /// The files of a scope.
  package func files(of scope: HostScope) -> [HistoryFile] {
    guard let name = scope.host else { return files }
    return hosts.first { $0.name == name }?.places.map { files[$0] } ?? []
  }

  /// The names of the files, each with its host.
  var namedFiles: [(name: String, host: String)] {
    let names = files.map(\.name)
    return Array(zip(names, HostNames.hosts(ofFiles: names)))
  }

  /// Compares all hosts by the focus of a query.
  ///
  /// - Parameter pooled: the chart of all files for the same query, if it is already there.
  func compareHosts(_ wanted: HostsQuery, _ query: HistoryQuery, pooled: HistoryChart?) throws -> HostsAnswer
  {
    var compared: [HostComparison.Host] = []
    for host in hosts {
      let files = host.places.map { self.files[$0] }
      var cell = IndexCell()
      if let focus = query.focus {
        for file in files { cell.merge(try file.sums(in: query.window, .one(focus))[focus].cell) { _ in 0 } }
      }
      let lastTime = try files.compactMap { try $0.timeRange()?.upperBound }.max()
      compared.append(HostComparison.Host(name: host.name, cell: cell, lastTime: lastTime))
    }
    var answer = HostComparison(of: compared, by: query.focus).answer(wanted)
    guard let focus = query.focus else { return answer }
    let plain = query.pinned(focus)
    answer.chart = try pooled ?? chart(of: focus, plain)
    let places = Dictionary(uniqueKeysWithValues: hosts.map { ($0.name, $0.places) })
    for row in wanted.cells.clamped(to: answer.rows.indices) where answer.rows[row].count > 0 {
      let files = (places[answer.rows[row].name] ?? []).map { self.files[$0] }
      answer.rows[row].cells = try chart(of: focus, plain, files: files, like: answer.chart).columns.map {
        $0.flatMap(HostCell.init)
      }
    }
    return answer
  }

  /// The answer for one host; its samples keep the places of their files among all files.
  func answer(_ query: HistoryQuery, ofHost name: String) throws -> HistoryAnswer {
    let host = hosts.first { $0.name == name }
    if host == nil { notes.append("no file belongs to the host \(name) any more") }
    let places = host?.places ?? []
    var inner = query
    (inner.scope, inner.hosts) = (.all, nil)
    if case .sample(let sample, let offset) = query.page.anchor {
      let place = places.firstIndex(of: sample.file) ?? places.filter { $0 < sample.file }.count
      inner.page.anchor = .sample(sample.moved(toFile: place), offset: offset)
    }
    var answer = try part(ofHost: name, places).answer(inner)
    answer.query = query
    answer.files = files.map(\.name)
    answer.page.rows = answer.page.rows.map { $0.moved(amongFiles: places) }
    if let row = answer.detail?.row { answer.detail?.row = row.moved(amongFiles: places) }
    if let wanted = query.hosts { answer.hosts = try compareHosts(wanted, query, pooled: nil) }
    return answer
  }
}

extension HostCell {
  /// `nil` without numbers.
  package init?(_ column: HistoryColumn) {
    guard column.numbers > 0 else { return nil }
    self.init(count: column.numbers, mean: column.mean, p95: column.spread.p95)
  }
}

extension SamplePlace {
  fileprivate func moved(toFile file: Int) -> SamplePlace {
    SamplePlace(file: file, offset: offset, time: time)
  }
}

extension HistoryRow {
  fileprivate func moved(amongFiles places: [Int]) -> HistoryRow {
    guard places.indices.contains(place.file) else { return self }
    return HistoryRow(
      place: place.moved(toFile: places[place.file]), line: line, value: value, fields: fields)
  }
}
