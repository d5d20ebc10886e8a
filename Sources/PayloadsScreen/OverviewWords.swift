import Aggregation
import Codecs
import DashboardCore
import TelemetryCore

/// A line of the overview in words.
struct OverviewWords {
  /// The names of A and B.
  let names: [String]

  func sentence(_ line: OverviewLine) -> String {
    switch line.content {
    case .figure(let row): sentence(row)
    case .rate(let rate): "\(line.label): \(rate.changeWords)\(verdict(rate.verdict, isTimes: false))"
    case .section(let hidden, _): hidden > 0 ? "\(line.label), \(hidden) lines folded" : line.label
    case .node(let total, let own, let share):
      "\(line.label): \(NumberFormat.grouped(total)) samples here and below, \(NumberFormat.grouped(own)) here, "
        + NumberFormat.share(share)
    case .reason(let count): "\(line.label): \(NumberFormat.grouped(count)) times"
    case .finding, .rest, .nodeTitles, .note: line.label
    }
  }

  /// `peak memory: 325MB (300 days) of 2.2.0, 305MB (300 days) of 2.1.0, +6.5%, higher`.
  private func sentence(_ row: PayloadOverview.Row) -> String {
    let sides = zip(names, [row.a, row.b]).compactMap { name, value in
      value.map { "\(row.text(.mean, $0)) of \(name)" }
    }
    let values = sides.isEmpty ? "no values" : sides.joined(separator: ", ")
    let change = row.change.map { ", " + NumberFormat.change($0) } ?? ""
    let group = (row.verdict?.isDifference ?? false) ? row.carrierSentence().map { "; " + $0 } ?? "" : ""
    return "\(row.phrase): \(values)\(change)\(verdict(row.verdict, isTimes: row.isTimes))\(group)"
  }

  private func verdict(_ verdict: ComparisonVerdict?, isTimes: Bool) -> String {
    switch verdict?.finding {
    case nil: ""
    case .noDifference: ", within chance"
    case .tooFew: ", too few to say"
    case .middle, .tail, .secondHump: verdict.map { ", \($0.words(isTimes: isTimes))" } ?? ""
    }
  }
}
