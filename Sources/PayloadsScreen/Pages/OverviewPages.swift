import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import TelemetryCore
import TerminalUI

/// Builds the pages behind the lines of an overview.
struct OverviewPages {
  let summary: OverviewSummary
  let zone: ClockZone

  private var overview: PayloadOverview { summary.overview }

  /// The page behind a line; `nil` if there is none.
  func page(of subject: OverviewFinding.Subject) -> OverviewPage? {
    switch subject {
    case .figure(let id): overview.rows.first { $0.id == id }.map(payloads)
    case .kind(let kind):
      diagnostics(DiagnosticKindWords.title(kind), summary.families.filter { $0.kind == kind })
    case .family(let id):
      summary.families.first { $0.id == id }.map { diagnostics($0.label, [$0]) }
    }
  }

  /// The page behind a row of a page.
  func page(of target: OverviewPage.Target) -> OverviewPage? {
    switch target {
    case .payload(let isB, let index):
      let payloads = (isB ? overview.b : overview.a)?.selection.payloads ?? []
      return payloads.indices.contains(index) ? members(of: payloads[index]) : nil
    case .diagnostic(let place): return summary.reader.line(at: place).map(members)
    case .original(let query): return OverviewPage(awaiting: query)
    }
  }

  // MARK: Payloads

  private static let facts: [(name: String, title: String, width: Int)] = [
    ("device", "device", 12), ("build", "build", 8), ("testFlight", "TestFlight", 10), ("os", "os", 18),
    ("user", "user", 10), ("region", "region", 6),
  ]

  /// The facts of payloads with a dimension first: where there is little room, the last ones are left out.
  private static func facts(first dimension: String?) -> [(name: String, title: String, width: Int)] {
    facts.filter { $0.name == dimension } + facts.filter { $0.name != dimension }
  }

  private static func columns(_ first: [Column], facts: [(name: String, title: String, width: Int)])
    -> [Column]
  {
    first + facts.enumerated().map { Column($1.title, width: $1.width, dropOrder: $0 + 2) }
      + [Column("file", width: 12, isFlexible: true, dropOrder: 1)]
  }

  /// The day of a payload, as written there.
  private func day(_ begin: String, _ time: Timestamp) -> String {
    begin.isEmpty ? zone.date(time) : begin.prefixed(10)
  }

  /// The payloads that have a figure: those of the group that carries its change first, then by value.
  private func payloads(of row: PayloadOverview.Row) -> OverviewPage {
    var found: [(isB: Bool, index: Int, value: Double, isCarrier: Bool)] = []
    let sides: [(isB: Bool, side: PayloadOverview.Side?)] = [(false, overview.a), (true, overview.b)]
    for (isB, side) in sides {
      guard let side else { continue }
      for (index, value) in side.values(of: row) where side.selection.payloads.indices.contains(index) {
        let payload = side.selection.payloads[index]
        found.append(
          (isB, index, value, row.carrier.map { payload.facts[$0.dimension] == $0.value } ?? false))
      }
    }
    found.sort {
      $0.isCarrier != $1.isCarrier
        ? $0.isCarrier : ($1.value, $0.isB ? 1 : 0, $0.index) < ($0.value, $1.isB ? 1 : 0, $1.index)
    }
    let facts = Self.facts(first: row.carrier?.dimension)
    let rows = found.map { entry -> OverviewPage.Row in
      let side = entry.isB ? overview.b : overview.a
      let payload = side?.selection.payloads[entry.index] ?? PayloadArchive.Payload()
      return OverviewPage.Row(
        cells: [
          entry.isB ? "B" : "A", row.unit.text(entry.value), day(payload.begin, payload.time),
          payload.version,
        ]
          + facts.map { payload.facts[$0.name] ?? "" } + [payload.file],
        target: .payload(isB: entry.isB, index: entry.index))
    }
    let carrier = row.carrier.map { ", \($0.words) first" } ?? ""
    return OverviewPage(
      "\(NumberFormat.grouped(rows.count)) payloads with \(row.phrase)\(carrier)",
      Self.columns(
        [
          Column("", width: 1), Column(row.isHistogram ? "mean" : "value", width: 9, alignment: .trailing),
          Column("day", width: 10), Column("version", width: 9),
        ], facts: facts), rows)
  }

  /// The figures and facts of a payload; the first row leads to its JSON.
  private func members(of payload: PayloadArchive.Payload) -> OverviewPage {
    let query = OriginalQuery(source: payload.source, time: payload.time)
    let facts = payload.facts.filter { $0.key != PayloadArchive.sideFact && !$0.value.isEmpty }
    var rows = [
      OverviewPage.Row(cells: ["all members as JSON", "Enter"], target: .original(query)),
      OverviewPage.Row(cells: ["version", payload.version]),
      OverviewPage.Row(cells: ["begin", payload.begin]),
      OverviewPage.Row(cells: ["end", payload.end]), OverviewPage.Row(cells: ["source", payload.source]),
    ]
    rows += facts.sorted { $0.key < $1.key }.map { OverviewPage.Row(cells: [$0.key, $0.value]) }
    let figures = overview.a.selection.archive.figures
    rows += payload.values.compactMap { place, value -> (String, String)? in
      guard figures.indices.contains(place) else { return nil }
      return (figures[place].name, Self.text(value, figures[place]))
    }.sorted { $0.0 < $1.0 }.map { OverviewPage.Row(cells: [$0.0, $0.1]) }
    return OverviewPage(
      "Payload \(payload.file) of \(payload.version)",
      [Column("member", width: 30, isFlexible: true), Column("value", width: 44)],
      rows.map { OverviewPage.Row(cells: $0.cells, target: .original(query)) })
  }

  private static func text(_ value: PayloadArchive.Value, _ figure: PayloadArchive.Figure) -> String {
    let unit = OverviewUnit(figure.unit, of: figure.name)
    switch value {
    case .number(let number): return unit.text(number)
    case .bins(let bins):
      let histogram = TimeHistogram(bins.map(TimeHistogram.Bin.init))
      let count = bins.reduce(0) { $0.addingSaturated(max(0, $1.count)) }
      let mean = histogram.average(method: .pooled).map { ", mean \(unit.text($0.value))" } ?? ""
      return "\(NumberFormat.grouped(count)) in \(bins.count) bins\(mean)"
    }
  }

  // MARK: Diagnostics

  private func diagnostics(_ title: String, _ families: [DiagnosticFamily]) -> OverviewPage {
    let places = Set(families.flatMap(\.places))
    let facts = summary.reader.facts.filter { places.contains($0.place) }
      .sorted { ($0.release, $0.place) > ($1.release, $1.place) }
    let shown = Self.facts
    let rows = facts.map { diagnostic in
      OverviewPage.Row(
        cells: [
          diagnostic.matches(summary.key.a) ? "A" : "B", day(diagnostic.begin, diagnostic.time),
          diagnostic.release.version,
          diagnostic.exact?.words ?? "",
        ] + shown.map { diagnostic.fact($0.name) } + [diagnostic.file],
        target: .diagnostic(diagnostic.place))
    }
    return OverviewPage(
      "\(NumberFormat.grouped(rows.count)) of \(title)",
      Self.columns(
        [
          Column("", width: 1), Column("day", width: 10), Column("version", width: 9),
          Column("place", width: 22, dropOrder: 4),
        ], facts: shown), rows)
  }

  /// The recorded members of a diagnostic, as JSON; each leads to that of its payload.
  private func members(of line: PayloadArchive.Diagnostic) -> OverviewPage {
    let json = try? JSONValue(line.json)
    let source = json?.fields?["source"]?.text ?? ""
    let target = OverviewPage.Target.original(OriginalQuery(source: source, time: line.time))
    let text = json.map { PayloadOriginal.lines($0) } ?? []
    return OverviewPage(
      "A \(DiagnosticKindWords.one(line.kind)) as recorded here; Enter shows all members of its payload",
      [Column("member", width: 30, isFlexible: true)],
      text.map { OverviewPage.Row(cells: [$0], target: target) })
  }
}

extension PayloadOverview.Side {
  /// The values of a row by the index of their payload; of histograms the mean.
  func values(of row: PayloadOverview.Row) -> [(index: Int, value: Double)] {
    guard let place = selection.archive.figures.firstIndex(of: row.id.figure) else { return [] }
    let column = columns[place]
    if !column.bins.isEmpty {
      return column.bins.compactMap { day, bins in
        TimeHistogram(bins.map(TimeHistogram.Bin.init)).average(method: .pooled).map { (day, $0.value) }
      }
    }
    return column.numbers.map { ($0.day, $0.value) }
  }
}
