import Aggregation
import History
import JSONLines
import Platform

// A single sample and its context.
extension ClickHouseSource {
  /// Half of the period that a sample is compared with, in seconds.
  private static let halfHour = 1800.0
  /// Maximum samples of the hour around a sample that are read to compare it with them; of more, their sums.
  private static let exactLimit = 200_000
  /// Maximum bytes shown of a line.
  private static let textLimit = 8192

  func detail(
    of focus: SeriesIdentity, _ stored: StoredSample, _ query: HistoryQuery, _ all: Everything
  ) throws -> HistoryDetail? {
    let samples = StoredSamples([stored])
    var found: HistoryDetail?
    samples.forEach { sample, row, line in
      found = HistoryDetail(
        row: Self.row(sample, of: samples, row, focus, all), path: row.host,
        rawLine: String(decoding: line.prefix(Self.textLimit), as: UTF8.self))
    }
    guard var detail = found else { return nil }
    let hour = SampleTimes.range(stored.time - Self.halfHour..<stored.time + Self.halfHour)
    let statements = PageStatements(
      selection: selection(query.scope.host, of: focus, in: [hour]), focus: focus)
    let own = try sums(statements.selection, Contents([all.sums[focus].cell]), withBins: true)[focus].cell
    detail.hourCount = own.count
    let isExact = own.count <= Self.exactLimit
    if case .number(let number) = detail.row.value {
      detail.rank = isExact ? try rank(of: number, statements) : own.share(notAbove: number)
    }
    let labels = detail.row.fields.compactMap { field in
      field.value.label.map { (field: field.name, value: $0) }
    }
    let counts = try isExact ? peers(labels, statements) : labels.map { try count($0, statements.selection) }
    detail.peers = zip(labels, counts).compactMap { label, count in
      count > 0 ? HistoryPeers(field: label.field, value: label.value, count: count) : nil
    }
    return detail
  }

  private func rank(of value: Double, _ statements: PageStatements) throws -> ClosedRange<Double>? {
    let counts = try reader.rows(statements.rank(of: value)) { row throws(RowBinaryReader.Damage) in
      (all: try row.tally(), below: try row.tally())
    }
    guard let counts = counts.first, counts.all > 0 else { return nil }
    let share = Double(counts.below) / Double(counts.all)
    return share...share
  }

  private func peers(
    _ labels: [(field: String, value: String)], _ statements: PageStatements
  ) throws -> [Int] {
    guard !labels.isEmpty else { return [] }
    // One row.
    return try reader.rows(statements.peers(labels)) { row throws(RowBinaryReader.Damage) in try row.tally() }
  }

  /// The number of samples with a label, from sums.
  private func count(_ label: (field: String, value: String), _ selection: ServerSelection) throws -> Int {
    guard let metric = selection.series, let window = selection.times.first else { return 0 }
    let series = SeriesIdentity(
      bucket: metric.bucket, name: metric.name, typeName: metric.typeName, field: label.field)
    var contents = Contents()
    contents.hasNumbers = false
    let sums = try sums(self.selection(selection.host, of: series, in: [window]), contents, withBins: false)
    return sums[series].count(of: label.value)
  }
}
