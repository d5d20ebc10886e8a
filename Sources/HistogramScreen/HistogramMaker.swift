import Aggregation
import Codecs
import DashboardCore
import TelemetryCore

/// Builds the content of the Histogram screen from the numbers and the chosen options.
struct HistogramMaker {
  /// A chosen side.
  struct Side {
    let name: String
    let choice: SampleCube.Choice
  }

  let source: HistogramSource
  let options: HistogramOptions
  let a: Side
  let b: Side?
  /// The choice common to both sides.
  let common: SampleCube.Choice
  let unit: ValueUnit
  let words: ChangeWords
  /// The name of the field, or of a metric without fields.
  var name = ""
  /// Maximum number of groups shown.
  static let groupLimit = 8
  /// Maximum number of versions shown.
  static let versionLimit = 24

  /// - Parameters:
  ///   - kept: The rows to keep; `nil` to choose new ones.
  ///   - rows: Maximum number of rows.
  ///   - courseSize: Columns and rows of the histogram over time.
  func content(on kept: HistogramGrid?, rows: Int, courseSize: (columns: Int, rows: Int)) -> HistogramContent
  {
    if let content = sharesContent(courseSize: courseSize) { return content }
    var content = HistogramContent()
    content.unit = unit
    let (sideA, sideB) = (source.side(a.name, a.choice), b.map { source.side($0.name, $0.choice) })
    let all = sideA.side.bins + (sideB?.side.bins ?? [])
    let grid = kept ?? HistogramGrid(scale, for: all, rows: rows)
    let figures = HistogramFigures(
      sideA.side, against: sideB?.side, on: grid, percentiles: options.percentiles, ground: ground())
    content.figures = figures
    content.verdict = VerdictSentence(figures, unit: unit, words: words)
    content.verdict?.overlap = overlap
    let carriers = carriers(of: content.verdict, figures)
    let carrier = carriers.max { $0.rank < $1.rank }
    content.verdict?.attribution = carrier?.attribution
    (content.marksA, content.marksB) = (sideA.marks, sideB?.marks ?? [])
    (content.coveredA, content.coveredB) = (sideA.covered, sideB?.covered)
    content.leftOut = sideA.leftOut + (sideB?.leftOut ?? 0)
    content.methods = methods(figures.a, figures.b)
    content.dimensions = source.dimensions.map(\.name)
    content.fieldsGivenUp = source.fieldsGivenUp
    content.versions = versions()
    let group = group(carrier?.attribution == nil ? nil : carrier?.dimension)
    content.group = group
    (content.groups, content.groupCount) = groups(
      of: group, carriers.first { $0.dimension == group }, on: grid)
    if courseSize.columns > 0, courseSize.rows > 0 {
      let courseGrid = HistogramGrid(
        grid.scale == .logarithmic ? .logarithmic : .linear, for: all, rows: courseSize.rows)
      content.course = HistogramCourse(
        source.course(a.choice), b.map { source.course($0.choice) } ?? [], on: courseGrid,
        columns: courseSize.columns)
    }
    return content
  }

  private var scale: HistogramGrid.Scale {
    if let scale = options.scale { return scale }
    return source.hasBins ? .recorded : .linear
  }

  private func methods(_ a: HistogramSide, _ b: HistogramSide?)
    -> [(method: AverageMethod, a: HistogramSide.Average?, b: HistogramSide.Average?)]
  {
    guard source.hasBins else {
      return [(.pooled, a.average(), b?.average())]
    }
    return AverageMethod.allCases.map { ($0, a.average($0), b?.average($0)) }
  }

  func versions() -> [HistogramContent.Version] {
    guard let dimension = source.versionDimension else { return [] }
    return source.versions.prefix(Self.versionLimit).compactMap { version in
      var choice = common
      choice.labels[dimension] = .value(version)
      let found = source.side(version, choice)
      let count = found.side.count
      guard count > 0, !options.hidesFew || count >= HistogramContent.fewSamples else { return nil }
      // With few samples, the middle of a wide uncertainty would look like a known value.
      let p95 = count < HistogramContent.fewSamples ? nil : found.side.quantiles([95]).first
      return HistogramContent.Version(
        name: version, count: count, average: found.side.average()?.value, p95: p95, marks: found.marks,
        isA: a.choice.labels[dimension] == .value(version),
        isB: b?.choice.labels[dimension] == .value(version))
    }
  }

  // MARK: Causes of a change

  private typealias Parts = [(value: SampleCube.LabelValue, side: HistogramSide)]

  private func parts(by dimension: String, _ choice: SampleCube.Choice?) -> Parts {
    choice.map { source.split(by: dimension, $0).map { ($0.value, $0.1.side) } } ?? []
  }

  /// A field and its contribution to the change.
  private struct Carrier {
    let dimension: String
    /// The samples of each side by value.
    let a: Parts
    let b: Parts
    let decomposition: AttributionSearch.Decomposition
    let attribution: HistogramAttribution?

    /// Fields that explain more of the change rank first; all others rank equally.
    var rank: Double { attribution.map { min($0.explained, 2) } ?? 0 }
  }

  private func carriers(of verdict: VerdictSentence?, _ figures: HistogramFigures) -> [Carrier] {
    guard let verdict, let sideB = figures.b, let b, verdict.isDifference else { return [] }
    let search = AttributionSearch(verdict.comparison.verdict, of: figures.a, against: sideB)
    let taken = Set(a.choice.labels.keys).union(b.choice.labels.keys)
    return source.dimensions.map(\.name).filter { !taken.contains($0) }.compactMap { dimension in
      let (mine, other) = (parts(by: dimension, a.choice), parts(by: dimension, b.choice))
      return search.decomposition(mine, other).map { found in
        Carrier(
          dimension: dimension, a: mine, b: other, decomposition: found,
          attribution: search.attribution(to: dimension, found))
      }
    }
  }

  /// The number of samples on both sides.
  var overlap: Int {
    guard let b else { return 0 }
    var both = a.choice
    for (dimension, value) in b.choice.labels {
      if let mine = both.labels[dimension], mine != value { return 0 }
      both.labels[dimension] = value
    }
    if let window = both.window, let other = b.choice.window {
      guard window.overlaps(other) else { return 0 }
      both.window = window.clamped(to: other)
    } else {
      both.window = both.window ?? b.choice.window
    }
    return source.count(of: both)
  }

  /// The dimension by which A is split: the chosen one, otherwise the one that explains the change, otherwise the first
  /// that A is not selected by.
  private func group(_ carrier: String?) -> String? {
    let names = source.dimensions.map(\.name)
    if let wanted = options.group, names.contains(wanted) { return wanted }
    if let carrier { return carrier }
    let taken = a.choice.labels.keys
    return names.first { !taken.contains($0) && $0 != SampleCube.fileDimension }
      ?? names.first { !taken.contains($0) }
  }

  /// The most important groups, by effect on the change if known, otherwise by size; and the number of all groups.
  private func groups(of group: String?, _ carrier: Carrier?, on grid: HistogramGrid)
    -> ([HistogramContent.Group], count: Int)
  {
    guard let group else { return ([], 0) }
    let parts = carrier?.a ?? parts(by: group, a.choice)
    let others = carrier?.b ?? self.parts(by: group, b?.choice)
    let all = parts.reduce(0) { $0.addingSaturated($1.side.count) }
    let effects = Dictionary(
      (carrier?.decomposition.groups ?? []).map { ($0.value, $0.effect) },
      uniquingKeysWith: { first, _ in first })
    let first = parts.sorted {
      (effects[$0.value] ?? 0, $0.side.count) > (effects[$1.value] ?? 0, $1.side.count)
    }.prefix(Self.groupLimit)
    let found = comparisons(of: first, others, by: group)
    let groups = zip(first, found).map { part, comparison in
      let (value, side) = part
      let other = others.first { $0.value == value }?.side
      let change = side.average().flatMap { mine in
        other?.average().flatMap { $0.value > 0 ? mine.value / $0.value - 1 : nil }
      }
      return HistogramContent.Group(
        value: value, count: side.count, share: all > 0 ? Double(side.count) / Double(all) : 0,
        average: side.average()?.value, quantiles: side.quantiles([50, 95, 99]),
        shape: grid.counts(side.bins).map(\.count),
        verdict: comparison?.verdict,
        change: change)
    }
    return (groups, parts.count)
  }

  /// The basis of a comparison of both sides, or of their parts with one value.
  private func ground(_ dimension: String? = nil, _ value: SampleCube.LabelValue? = nil) -> ComparisonGround {
    guard let b else { return .samples }
    var (mine, other) = (a.choice, b.choice)
    guard let dimension else { return source.ground(mine, against: other) }
    mine.labels[dimension] = value
    other.labels[dimension] = value
    var ground = source.ground(mine, against: other)
    // One of many comparisons: time ranges are fewer than samples, and the more reliable units.
    ground.dealings.removeAll(where: \.isSamples)
    return ground
  }

  /// The conclusions for some groups, where each finding is corrected for the number of groups.
  private func comparisons(of parts: some Sequence<Parts.Element>, _ others: Parts, by dimension: String)
    -> [SideComparison?]
  {
    let found = parts.map { value, side in
      others.first { $0.value == value }.map {
        SideComparison(
          $0.side, with: side, on: ground(dimension, value), detail: .coarse, precision: .page)
      }
    }
    return SideComparison.believed(found)
  }
}
