import Aggregation
import Foundation
import JSONLines

/// `mistertop stats FILE…`: count, extremes, mean, spread and percentiles of every metric, over whole files.
package struct Stats: Sendable {
  var filter = StatsTable.Filter()
  let workers: Int

  package init(workers: Int = ProcessInfo.processInfo.activeProcessorCount) {
    self.workers = workers
  }

  func table(of path: String) async throws -> (StatsTable, RejectionLog) {
    let file = try ReadableFile(path: path)
    let size = file.size
    file.close()
    var table = StatsTable(filter: filter)
    var rejections = RejectionLog()
    var lines = 0
    let scan = FileScan(path: path, bytes: 0..<size)
    try await scan.run(
      workers: workers, initial: StatsPart(filter: filter),
      fold: { part, batch, scanner in part.fold(batch, scanner.catalogue) },
      deliver: { part in
        table.merge(part.state, part.scanner.catalogue)
        rejections.append(part.scanner.rejections, linesBefore: lines)
        lines += part.scanner.lines
      })
    return (table, rejections)
  }

  package func run(path: String) async throws {
    let (table, rejections) = try await table(of: path)
    for (key, tally) in table.tallies.sorted(by: { $0.key.metric.name < $1.key.metric.name }) {
      let m = tally.numbers.moments
      print(
        key.metric.bucket ?? "-", key.metric.name, tally.count, m.mean ?? .nan, m.minimum, m.maximum,
        tally.numbers.value(atPercentile: 50)?.value ?? .nan,
        tally.numbers.value(atPercentile: 99)?.value ?? .nan,
        separator: "\t")
    }
    print(rejections.total)
  }
}
