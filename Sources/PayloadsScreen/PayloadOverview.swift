import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import TelemetryCore

/// All figures of the payloads of one or two choices.
///
/// Many payloads take a while, so the figures are summarized a few at a time, always in the same order: see
/// ``summarize(_:)``.
struct PayloadOverview: Sendable {
  /// One line: a figure, or one of several derived from it.
  struct Row: Sendable, Equatable {
    /// The identity of a row.
    struct ID: Hashable, Sendable {
      let figure: PayloadArchive.Figure
      let part: Part
    }

    enum Part: Hashable, Sendable, CaseIterable {
      case whole, pooledRate, medianRate, ninetiethRate
    }

    let id: ID
    let section: FigureSection
    let label: String
    /// The name within a sentence: `peak memory`.
    let phrase: String
    let unit: OverviewUnit
    /// True if its values are times, where longer means slower.
    let isTimes: Bool
    /// True if its values are sums per device-day.
    let isSum: Bool
    /// True if its values are bins.
    let isHistogram: Bool
    /// True if it has been summarized.
    fileprivate(set) var isKnown = false
    fileprivate(set) var a: OverviewValue?
    fileprivate(set) var b: OverviewValue?
    /// The finding of this comparison alone.
    fileprivate(set) var finding: ComparisonVerdict?
    /// The verdict that remains after the correction for all findings of the page.
    fileprivate(set) var verdict: ComparisonVerdict?

    /// The only group of payloads that changed; `nil` if there is none.
    fileprivate(set) var carrier: ChangeCarrier?

    /// The values of that group on both sides.
    fileprivate(set) var groupA: OverviewValue?
    fileprivate(set) var groupB: OverviewValue?

    /// True if the change of all payloads together is not more than chance.
    fileprivate(set) var isOfCarrierAlone = false

    /// The relative change of the value from B to A; `nil` if it is undefined.
    var change: Double? {
      guard let a, let b else { return nil }
      let (mine, other) = (shown(a).value, shown(b).value)
      guard other > 0 else { return nil }
      let change = mine / other - 1
      return change.isFinite ? change : nil
    }

    /// The displayed value of a side with its unit: exits per hour of use if that is known, other sums per device-day.
    func shown(_ value: OverviewValue) -> (value: Double, margin: Double, unit: OverviewUnit) {
      if section.isExits, let hours = value.perHour, [a, b].allSatisfy({ $0 == nil || $0?.perHour != nil }) {
        let scale = value.value > 0 ? hours / value.value : 0
        return (hours, value.doubt * scale, unit.per("h"))
      }
      return (value.value, value.doubt, isSum ? unit.per("d") : unit)
    }
  }

  /// One of the two choices.
  struct Side: Sendable {
    let name: String
    let selection: PayloadSelection
    let columns: PayloadColumns
    /// Number of its payloads that are on the other side, too: if there are any, nothing is compared.
    fileprivate(set) var shared = 0

    init(name: String, _ selection: PayloadSelection) {
      (self.name, self.selection) = (name, selection)
      columns = PayloadColumns(selection)
    }

    /// The same with only the payloads that have a fact.
    fileprivate func only(_ fact: String, _ value: String) -> Side {
      Side(name: name, selection.only { $0.facts[fact] == value })
    }

    /// `A 2.4.1`: the number of payloads, their marks, and those left out.
    var words: String {
      let left = [
        (selection.mixedLeftOut, "of mixed versions"), (selection.simulatedLeftOut, "simulated"),
      ].filter { $0.0 > 0 }.map { "\(NumberFormat.grouped($0.0)) \($0.1)" }
      let count =
        columns.days == 0
        ? "no metric payloads"
        : "\(NumberFormat.grouped(columns.days)) metric payload\(columns.days == 1 ? "" : "s")"
      return
        ([count] + selection.marks.words
        + (left.isEmpty ? [] : ["left out: " + left.joined(separator: ", ")])
        + (shared > 0 ? ["\(NumberFormat.grouped(shared)) on both sides: nothing is compared"] : []))
        .joined(separator: ", ")
    }
  }

  /// The identity of a payload, from whichever file it was read.
  private struct Place: Hashable {
    let content: String
    let version: String
    let time: Timestamp

    init(_ payload: PayloadArchive.Payload) {
      // The content has its times as written, which another zone turns into other moments.
      let hash = payload.contentHash
      (content, version) = (hash ?? payload.source, payload.version)
      time = hash == nil ? payload.time : Timestamp(0)
    }
  }

  let a: Side
  let b: Side?
  /// The origins of the payloads of both sides.
  private let origins: PayloadOrigins
  private let groups: PayloadGroups
  /// Other findings of the page.
  private var others: [ComparisonVerdict] = []
  /// The significance threshold for findings; `nil` if none is significant.
  private(set) var threshold: Double?
  /// The rows by section, then in Apple's order.
  private(set) var rows: [Row] = []
  private let figures: [OverviewFigure]
  /// The first row of each figure.
  private let firstRows: [Int]
  private var next = 0
  /// The sides with only the payloads of a group, as far as any carries a change.
  private var groupSides: [Group: (a: Side, b: Side)] = [:]

  private struct Group: Hashable {
    let dimension: String
    let value: String
  }

  /// Number of summarized figures.
  var summarized: Int { next }

  /// - Parameters:
  ///   - archive: The payloads in the files.
  ///   - a: A choice and its name.
  ///   - b: The choice that A is compared with, if any.
  init(
    _ archive: PayloadArchive, a: (name: String, choice: SampleCube.Choice),
    b: (name: String, choice: SampleCube.Choice)?
  ) {
    self.a = Side(name: a.name, PayloadSelection(archive, a.choice))
    var other = b.map { Side(name: $0.name, PayloadSelection(archive, $0.choice)) }
    if let b = other {
      let own = Set(self.a.selection.payloads.map(Place.init))
      other?.shared = b.selection.payloads.count { own.contains(Place($0)) }
    }
    self.b = other
    origins = PayloadOrigins(
      first: self.b?.selection.payloads ?? [], second: self.a.selection.payloads)
    groups = PayloadGroups(
      a: self.a.selection.payloads, b: self.b?.selection.payloads ?? [])
    let sides = [self.a.columns, self.b?.columns].compactMap(\.self)
    let names = Set(archive.figures.map(\.name))
    let found = archive.figures.enumerated().compactMap { place, figure -> OverviewFigure? in
      let columns = sides.map { $0[place] }
      guard columns.contains(where: { !$0.numbers.isEmpty || !$0.bins.isEmpty }) else { return nil }
      let isHistogram = columns.contains { !$0.bins.isEmpty }
      guard let known = OverviewFigure(figure, at: place, isHistogram: isHistogram, among: names) else {
        return nil
      }
      // Few of the twelve exit reasons ever occur.
      if case .exits = known.kind, !columns.contains(where: \.isUsed) { return nil }
      return known
    }
    figures = found.sorted { $0.isListed(before: $1) }
    var (rows, firstRows): ([Row], [Int]) = ([], [])
    for figure in figures {
      firstRows.append(rows.count)
      rows += figure.parts.map { Row(figure, $0, archive.figures[figure.place]) }
    }
    (self.rows, self.firstRows) = (rows, firstRows)
  }

  /// True if everything is summarized.
  var isDone: Bool { next == figures.count }

  /// Summarizes figures until about this many values have been examined.
  mutating func summarize(_ budget: Int) {
    var left = budget
    while left > 0, next < figures.count {
      let figure = figures[next]
      left -= 2000 + a.columns[figure].cost + (b?.columns[figure].cost ?? 0)
      fill(figure, from: firstRows[next])
      next += 1
    }
    believe()
  }

  /// Adds other findings of the page, which share the correction for multiple comparisons.
  mutating func stand(beside others: [ComparisonVerdict]) {
    self.others = others
    believe()
  }

  /// Applies the correction for multiple comparisons to the finding of each row.
  private mutating func believe() {
    // The rates of hangs share one comparison.
    let tested = rows.filter { ![.medianRate, .ninetiethRate].contains($0.id.part) }.map(\.finding) + others
    threshold = FalseDiscoveries.threshold(
      tested.compactMap { $0?.probability }, of: figures.count + others.count { $0.probability != nil })
    for place in rows.indices {
      rows[place].verdict = rows[place].finding?.believed(upTo: threshold)
    }
  }

  private mutating func fill(_ figure: OverviewFigure, from first: Int) {
    let (ofA, ofB) = (Self.results(of: figure, a), b.map { Self.results(of: figure, $0) } ?? [:])
    var known: ComparisonVerdict??
    for place in first..<first + figure.parts.count {
      let part = rows[place].id.part
      rows[place].isKnown = true
      (rows[place].a, rows[place].b) = (ofA[part]?.value, ofB[part]?.value)
      guard b?.shared == 0, let mine = ofA[part]?.basis, let other = ofB[part]?.basis else { continue }
      // The rates cover the same device-days.
      if part != .medianRate, part != .ninetiethRate { known = nil }
      let finding = known ?? OverviewSummarizer.finding(mine, against: other, origins)
      (known, rows[place].finding) = (finding, finding)
      attribute(place, mine, other)
      addGroup(to: place, figure)
    }
  }

  /// Adds the values of the group that carries the change of a row.
  private mutating func addGroup(to place: Int, _ figure: OverviewFigure) {
    guard let carrier = rows[place].carrier, let b else { return }
    let group = Group(dimension: carrier.dimension, value: carrier.value)
    let sides =
      groupSides[group] ?? (a.only(group.dimension, group.value), b.only(group.dimension, group.value))
    groupSides[group] = sides
    let part = rows[place].id.part
    let (mine, other) = (
      Self.results(of: figure, sides.a)[part]?.value, Self.results(of: figure, sides.b)[part]?.value
    )
    // Rates per hour and per day do not compare.
    guard (mine?.perHour == nil) == (other?.perHour == nil) else { return }
    (rows[place].groupA, rows[place].groupB) = (mine, other)
  }

  /// Names the group of payloads that carries the change of a row; it may be the only one that moved.
  private mutating func attribute(
    _ place: Int, _ a: OverviewSummarizer.Basis, _ b: OverviewSummarizer.Basis
  ) {
    guard let finding = rows[place].finding, finding.finding != .tooFew, !groups.dimensions.isEmpty else {
      return
    }
    let whole = finding.adjusted(by: 1 / (1 - Self.shareOfGroups))
    rows[place].finding = whole
    guard let carrier = ChangeCarrier(a: a.values, b: b.values, groups) else { return }
    let isRising = carrier.carrier.change > 0
    let own = ComparisonVerdict.moved(
      isRising ? .up : .down, probability: min(1, carrier.probability / Self.shareOfGroups))
    let isCertain = own.probability ?? 1 <= FalseDiscoveries.rate
    guard finding.isDifference ? isRising == finding.isRising : isCertain else { return }
    (rows[place].carrier, rows[place].isOfCarrierAlone) = (carrier, !finding.isDifference)
    if isCertain, (own.probability ?? 1) < (finding.isDifference ? whole.probability ?? 1 : 1) {
      rows[place].finding = own
    }
  }

  /// The share of the probability of error that the search for single groups has; the whole has the rest.
  private static let shareOfGroups = 0.2

  private static func results(of figure: OverviewFigure, _ side: Side) -> [Row.Part: OverviewSummarizer
    .Result]
  {
    let summarizer = OverviewSummarizer(
      columns: side.columns, isSimulated: side.selection.marks.contains(.simulated))
    var results: [Row.Part: OverviewSummarizer.Result] = [:]
    switch figure.kind {
    case .times: results[.whole] = summarizer.times(summarizer.days(of: figure))
    case .hangs:
      results[.whole] = summarizer.times(summarizer.days(of: figure))
      let rates = summarizer.hangRates(figure)
      (results[.pooledRate], results[.medianRate]) = (rates?.pooled, rates?.median)
      results[.ninetiethRate] = rates?.ninetieth
    case .mean:
      let figures = side.selection.archive.figures
      let place = { (suffix: String) in figures.firstIndex { $0.name == figure.name + suffix } }
      results[.whole] = summarizer.mean(
        figure, counts: place(OverviewFigure.countSuffix), deviations: place(OverviewFigure.deviationSuffix))
    case .exits: results[.whole] = summarizer.exits(figure)
    case .sum, .level, .hitches, .signal: results[.whole] = summarizer.number(figure)
    }
    return results
  }
}

extension PayloadOverview.Row {
  fileprivate init(_ figure: OverviewFigure, _ part: Part, _ recorded: PayloadArchive.Figure) {
    id = ID(figure: recorded, part: part)
    section = figure.section
    isTimes = figure.kind == .times || figure.kind == .hangs
    isHistogram = isTimes && part == .whole
    isSum = figure.kind == .sum || section.isExits
    switch part {
    case .whole: (label, unit) = (figure.label, figure.unit)
    case .pooledRate: (label, unit) = ("rate, pooled", .secondsPerHour)
    case .medianRate: (label, unit) = ("rate, median day", .secondsPerHour)
    case .ninetiethRate: (label, unit) = ("rate, p90 day", .secondsPerHour)
    }
    phrase = part == .whole ? figure.phrase : "hang \(label)"
  }
}

extension OverviewFigure {
  fileprivate var parts: [PayloadOverview.Row.Part] {
    kind == .hangs ? PayloadOverview.Row.Part.allCases : [.whole]
  }

  fileprivate func isListed(before other: OverviewFigure) -> Bool {
    if section != other.section { return section.place < other.section.place }
    return (rank, label, place) < (other.rank, other.label, other.place)
  }
}

extension FigureSection {
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// True if it counts exits.
  var isExits: Bool { self == .foregroundExits || self == .backgroundExits }
}
