import Aggregation
import Codecs
import DashboardCore
import History
import TelemetryCore
import TerminalUI

/// A figure or the rate of some diagnostics over all versions, from the oldest to the newest.
struct OverviewTrend {
  let archive: PayloadArchive
  /// The choice that the payloads of all versions have in common.
  let common: SampleCube.Choice
  let theme: Theme

  private static let barWidth = 20

  private struct Entry {
    let version: String
    let value: Double
    let cells: [String]
  }

  private var versions: [String] { archive.versions.reversed() }

  private func choice(_ version: String) -> SampleCube.Choice {
    var choice = common
    choice.labels[PayloadArchive.versionDimension] = .value(version)
    return choice
  }

  /// The values of a row by version.
  func page(of row: PayloadOverview.Row) -> OverviewPage {
    let archive = archive.reduced(to: row)
    let formatter = OverviewFormatter(theme: theme)
    let entries = versions.compactMap { version -> Entry? in
      var overview = PayloadOverview(archive, a: (version, choice(version)), b: nil)
      while !overview.isDone { overview.summarize(.max) }
      guard let found = overview.rows.first(where: { $0.id == row.id }), let value = found.a else {
        return nil
      }
      let shown = found.shown(value)
      let cells = [OverviewColumn.Kind.value, .count, .median, .tail].map {
        formatter.text($0, width: 18, of: found)
      }
      return Entry(version: version, value: shown.value, cells: cells)
    }
    return page("\(row.phrase) by version", ["value", "n", "p50", "p95"], entries)
  }

  /// The rates of diagnostics by version.
  func page(_ title: String, _ facts: [DiagnosticFacts], of all: [DiagnosticFacts]) -> OverviewPage {
    let entries = versions.compactMap { version -> Entry? in
      let choice = choice(version)
      let exposure = PayloadColumns(PayloadSelection(archive.withoutFigures, choice)).exposure
      let tally = DiagnosticTally(
        sources: facts.filter { $0.matches(choice) }.map(\.owner), all: all.count { $0.matches(choice) },
        exposure: exposure)
      guard exposure.days > 0 || tally.count > 0 else { return nil }
      let rate = tally.perThousandDays
      return Entry(
        version: version, value: rate?.value ?? Double(tally.count),
        cells: [
          rate?.words ?? "-", NumberFormat.grouped(tally.count), NumberFormat.grouped(exposure.days),
          tally.share.map { NumberFormat.share($0) } ?? "",
        ])
    }
    return page("\(title) by version", ["per 1,000 days", "n", "device-days", "share"], entries)
  }

  private func page(_ title: String, _ titles: [String], _ entries: [Entry]) -> OverviewPage {
    let most = entries.map(\.value).filter(\.isFinite).max() ?? 0
    let formatter = OverviewFormatter(theme: theme)
    let rows = entries.map { entry in
      let share = most > 0 && entry.value.isFinite ? max(0, entry.value / most) : 0
      return OverviewPage.Row(
        cells: [entry.version] + entry.cells + [formatter.bar(share, width: Self.barWidth)])
    }
    let columns = titles.enumerated().map { place, title in
      Column(
        title, width: place == 0 ? 18 : place == 1 ? 7 : 12, alignment: .trailing,
        dropOrder: place > 1 ? 2 : 0)
    }
    return OverviewPage(
      title,
      [Column("version", width: 10)] + columns + [
        Column("", width: Self.barWidth, isFlexible: true, dropOrder: 1)
      ],
      rows)
  }
}

extension PayloadArchive {
  /// The same payloads with only the values that a row of the overview derives from.
  fileprivate func reduced(to row: PayloadOverview.Row) -> PayloadArchive {
    let name = row.id.figure.name
    let section = name.split(separator: ".").first.map(String.init) ?? name
    let isOfSection = row.section.isExits || row.section == .hitches
    let wanted = figures.map { figure in
      figure == row.id.figure || figure.name == PayloadColumns.foreground || figure.name.hasPrefix(name + ".")
        || isOfSection && figure.name.hasPrefix(section + ".")
    }
    var result = self
    result.diagnostics = []
    for place in result.payloads.indices {
      result.payloads[place].values.removeAll { figure, _ in
        !wanted.indices.contains(figure) || !wanted[figure]
      }
    }
    return result
  }

  /// The same payloads with only the time of use.
  fileprivate var withoutFigures: PayloadArchive {
    var result = self
    result.diagnostics = []
    let place = figures.firstIndex { $0.name == PayloadColumns.foreground } ?? -1
    for index in result.payloads.indices { result.payloads[index].values.removeAll { $0.figure != place } }
    return result
  }
}
