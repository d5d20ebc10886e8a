import Aggregation
import Codecs
import Telemetry

/// Makes all that the Histogram screen shows, from the numbers and what was chosen.
struct HistogramMaker {
  /// A side as it was chosen.
  struct Side {
    let name: String
    let choice: SampleCube.Choice
  }

  let source: HistogramSource
  let options: HistogramOptions
  let a: Side
  let b: Side?
  /// What both have in common.
  let common: SampleCube.Choice
  let unit: ValueUnit
  /// Groups that are shown at most.
  static let groupLimit = 8
  /// Versions that are shown at most.
  static let versionLimit = 24

  /// - Parameters:
  ///   - kept: the rows that stay; `nil` to cut them again.
  ///   - rows: how many rows there is room for.
  ///   - courseSize: columns and rows of the histogram through time.
  func content(on kept: HistogramGrid?, rows: Int, courseSize: (columns: Int, rows: Int)) -> HistogramContent
  {
    var content = HistogramContent()
    content.unit = unit
    let (sideA, sideB) = (source.side(a.name, a.choice), b.map { source.side($0.name, $0.choice) })
    let all = sideA.side.bins + (sideB?.side.bins ?? [])
    let grid = kept ?? HistogramGrid(scale, for: all, rows: rows)
    let figures = HistogramFigures(
      sideA.side, against: sideB?.side, on: grid, percentiles: options.percentiles)
    content.figures = figures
    if let b = figures.b, let comparison = figures.comparison {
      content.verdict = HistogramVerdict(comparison, of: figures.a, against: b, unit: unit)
    }
    (content.marksA, content.marksB) = (sideA.marks, sideB?.marks ?? [])
    (content.coveredA, content.coveredB) = (sideA.covered, sideB?.covered)
    content.leftOut = sideA.leftOut + (sideB?.leftOut ?? 0)
    content.methods = methods(sideA.side, sideB?.side)
    content.dimensions = source.dimensions.map(\.name)
    content.fieldsGivenUp = source.fieldsGivenUp
    content.versions = versions()
    content.group = group
    content.groups = groups(on: grid)
    if courseSize.columns > 0, courseSize.rows > 0 {
      let courseGrid = HistogramGrid(
        grid.scale == .logarithmic ? .logarithmic : .linear, for: all, rows: courseSize.rows)
      content.course = HistogramCourse(source.course(common), on: courseGrid, columns: courseSize.columns)
    }
    return content
  }

  private var scale: HistogramGrid.Scale {
    if let scale = options.scale { return scale }
    if case .payloads = source { return .recorded }
    return .linear
  }

  private func methods(_ a: HistogramSide, _ b: HistogramSide?)
    -> [(method: AverageMethod, a: HistogramSide.Average?, b: HistogramSide.Average?)]
  {
    guard case .payloads = source else {
      return [(.pooled, a.average(), b?.average())]
    }
    return AverageMethod.allCases.map { ($0, a.average($0), b?.average($0)) }
  }

  private func versions() -> [HistogramContent.Version] {
    guard let dimension = source.versionDimension else { return [] }
    return source.versions.prefix(Self.versionLimit).compactMap { version in
      var choice = common
      choice.labels[dimension] = .value(version)
      let found = source.side(version, choice)
      let count = found.side.count
      guard count > 0, !options.hidesFew || count >= HistogramContent.fewSamples else { return nil }
      return HistogramContent.Version(
        name: version, count: count, average: found.side.average()?.value,
        p95: found.side.quantiles([95]).first, marks: found.marks,
        isA: a.choice.labels[dimension] == .value(version),
        isB: b?.choice.labels[dimension] == .value(version))
    }
  }

  /// The dimension that A is split by: the one that was chosen, else the first that A is not chosen by.
  private var group: String? {
    let names = source.dimensions.map(\.name)
    if let wanted = options.group, names.contains(wanted) { return wanted }
    let taken = a.choice.labels.keys
    return names.first { !taken.contains($0) && $0 != SampleCube.fileDimension }
      ?? names.first { !taken.contains($0) }
  }

  private func groups(on grid: HistogramGrid) -> [HistogramContent.Group] {
    guard let group else { return [] }
    let parts = source.split(by: group, a.choice)
    let all = parts.reduce(0) { $0.addingSaturated($1.1.side.count) }
    let others = b.map { source.split(by: group, $0.choice) } ?? []
    let largest = parts.sorted { $0.1.side.count > $1.1.side.count }.prefix(Self.groupLimit)
    return largest.map { value, part in
      let side = part.side
      let other = others.first { $0.value == value }?.1.side
      let change = side.average().flatMap { mine in
        other?.average().flatMap { $0.value > 0 ? mine.value / $0.value - 1 : nil }
      }
      return HistogramContent.Group(
        value: value, count: side.count, share: all > 0 ? Double(side.count) / Double(all) : 0,
        average: side.average()?.value, quantiles: side.quantiles([50, 95, 99]),
        shape: grid.counts(side.bins).map(\.count),
        comparison: other.map { VersionComparison($0, with: side, detail: .coarse) },
        change: change)
    }
  }
}
