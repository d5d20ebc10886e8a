import Codecs
import DashboardCore
import History
import TerminalUI

/// The first line of the Hosts screen: the odd and the silent hosts, or that there are none.
struct HostSentence {
  let hosts: HostsAnswer
  let silence: HostSilence
  /// The name of the metric; `nil` if none is chosen.
  let metric: String?
  let unit: ValueUnit

  /// True if something is wrong.
  var isAlarming: Bool { !odd.isEmpty || !silent.isEmpty }

  /// From the longest to the shortest.
  var wordings: [Line] { texts.map { Line($0) } }

  private var odd: [HostRow] { hosts.rows.filter(\.isOdd) }
  private var silent: [(name: String, age: Double)] {
    hosts.rows.compactMap { row in silence.age(of: row).map { (row.name, $0) } }
  }

  private var texts: [String] {
    guard let metric else {
      return ["No numeric metric is chosen: select one on the Live or History screen, then come back"]
    }
    if hosts.total == 1, let only = hosts.rows.first {
      return [
        "There is one host, \(only.name): open a folder with a file for each host to compare them",
        "One host: a folder with a file for each compares them",
      ]
    }
    guard let bound = hosts.bound else { return ["No host has a number of \(metric) in this window"] }
    let parts = [oddWords(bound), silentWords].compactMap(\.self)
    guard !parts.isEmpty else {
      let most = hosts.rows.compactMap(\.share).max() ?? 0
      return [
        "\(hosts.total) hosts are alike: none has more than \(NumberFormat.share(most)) of its samples above "
          + "the fleet's p95 of \(unit.text(bound))",
        "\(hosts.total) hosts are alike: at most \(NumberFormat.share(most)) above \(unit.text(bound))",
        "\(hosts.total) hosts are alike",
      ]
    }
    return (0..<3).map { length in parts.map { $0[length] }.joined(separator: ", ") }
  }

  private func oddWords(_ bound: Double) -> [String]? {
    guard let first = odd.first, let share = first.share.map(NumberFormat.share) else { return nil }
    let more = odd.count > 1 ? " (and \(odd.count - 1) more)" : ""
    return [
      "\(first.name)\(more): \(share) of its samples above the fleet's p95 of \(unit.text(bound)), 5% is usual",
      "\(first.name)\(more): \(share) above \(unit.text(bound))", "\(first.name)\(more) \(share)",
    ]
  }

  private var silentWords: [String]? {
    let silent = silent
    guard let first = silent.min(by: { $0.age < $1.age }) else { return nil }
    let age = DurationFormat.text(first.age)
    let more = silent.count > 1 ? " and \(silent.count - 1) more" : ""
    return [
      "\(first.name)\(more) silent for \(age)", "\(first.name)\(more) silent \(age)",
      "\(silent.count) silent",
    ]
  }
}

extension HostRow {
  /// Minimum number of samples to judge by.
  private static let fewest = 20
  /// The smallest share that is odd; among few hosts, half of the way to the largest that one can have.
  private static let leastShare = 0.1

  /// True if more of its samples are above the fleet's 95th percentile than chance explains.
  package var isOdd: Bool {
    guard let share, count >= Self.fewest else { return false }
    let usual = HostsAnswer.usualShare
    let least = min(Self.leastShare, (usual + (mostShare ?? 1)) / 2)
    return share >= max(least, usual + 3 * (usual * (1 - usual) / Double(count)).squareRoot())
  }
}
