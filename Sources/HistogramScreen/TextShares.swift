import Aggregation
import Codecs
import DashboardCore
import Platform

/// The frequency of each value of a text or bool, by label and time.
struct TextShares: Sendable {
  /// Each sample is a 0 with its value as a label.
  let cube: SampleCube
  /// The values with a row of their own, most frequent first.
  let values: [String]
  private let all: [String]
  /// True if there are other values, which share the last row.
  private let hasOthers: Bool

  /// Maximum number of values with a row of their own.
  private static let limit = 16
  /// Maximum number of displayed characters of a value.
  private static let longest = 24

  /// - Parameter whole: The samples of all times, which define the rows.
  init(_ cube: SampleCube, of whole: SampleCube) {
    self.cube = cube
    all = whole.dimensions.first { $0.name == SampleCube.valueDimension }?.values ?? []
    let counted = all.map { (value: $0, count: whole.count(of: Self.choice(SampleCube.Choice(), $0))) }
      .filter { $0.count > 0 }.sorted { ($1.count, $0.value) < ($0.count, $1.value) }
    values = counted.prefix(Self.limit).map(\.value)
    hasOthers = counted.count > Self.limit
  }

  private static func choice(_ choice: SampleCube.Choice, _ value: String) -> SampleCube.Choice {
    var choice = choice
    choice.labels[SampleCube.valueDimension] = .value(value)
    return choice
  }

  /// Names of the rows.
  var labels: [String] {
    values.map { SampleCube.LabelValue.value($0).words.prefixed(Self.longest) }
      + (hasOthers ? ["(others)"] : [])
  }

  /// A row for each value.
  var grid: HistogramGrid {
    HistogramGrid(
      scale: .recorded,
      rows: labels.indices.map { HistogramGrid.Row(lower: Double($0), upper: Double($0 + 1)) })
  }

  /// The samples of a choice by row.
  func counts(of choice: SampleCube.Choice) -> [Int] {
    let counts = values.map { cube.count(of: Self.choice(choice, $0)) }
    guard hasOthers else { return counts }
    return counts + [max(0, cube.count(of: choice) - counts.reduce(0) { $0.addingSaturated($1) })]
  }

  /// The samples of a choice by time range, with the row number as their value.
  func course(_ choice: SampleCube.Choice) -> [Stretch] {
    values.enumerated().flatMap { row, value in
      cube.slots(Self.choice(choice, value)).map { start, slot in
        (Timestamp(start), cube.step, Self.bins([row: slot.count]))
      }
    }
  }

  /// Bins of rows that have samples.
  static func bins(_ counts: [Int: Int]) -> [HistogramBin] {
    counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map {
      HistogramBin(lower: Double($0.key), upper: Double($0.key), count: $0.value)
    }
  }

  // MARK: Comparing

  /// A row whose share may differ, and the conclusion.
  struct Difference {
    let row: Int
    let comparison: SideComparison
    let ground: ComparisonGround
  }

  /// The row with the largest significant difference, otherwise the first one; `nil` without rows.
  ///
  /// Each value is compared with all others taken together, by the units of comparisons of numbers.
  func difference(_ a: SampleCube.Choice, against b: SampleCube.Choice) -> Difference? {
    let (mine, other) = (counts(of: a), counts(of: b))
    let rows = comparedRows
    let isPage = rows.count > 1
    let found = rows.map { row in
      // The last row of others has all values without a row.
      let values = values.indices.contains(row) ? [values[row]] : Set(all).subtracting(values)
      let ground = ComparisonGround(cube, a, against: b, counting: values)
      let comparison = SideComparison(
        Self.split(other, row), with: Self.split(mine, row), on: ground, precision: isPage ? .page : .single)
      return Difference(row: row, comparison: comparison, ground: ground)
    }
    let comparisons = SideComparison.believed(found.map(\.comparison), of: isPage ? labels.count : 1)
    let believed = zip(found, comparisons).compactMap { found, comparison in
      comparison.map { Difference(row: found.row, comparison: $0, ground: found.ground) }
    }
    // Of two values where one gains what the other loses, the gain is named.
    let distances = labels.indices.map { row in
      let distance = Self.distance(mine, other, row)
      return (distance.magnitude.rounded(), distance > 0 ? 1 : 0)
    }
    let worst = believed.filter(\.comparison.verdict.isDifference).max {
      distances[$0.row] < distances[$1.row]
    }
    return worst ?? believed.first
  }

  /// Samples of a row as ones, all others as zeros.
  private static func split(_ counts: [Int], _ row: Int) -> [HistogramBin] {
    let all = counts.reduce(0) { $0.addingSaturated($1) }
    return bins([0: all - counts[row], 1: counts[row]])
  }

  /// True if a row is that of the value `true` of a bool.
  func isTrue(_ row: Int) -> Bool { labels[row] == "true" && Set(all).isSubset(of: ["true", "false"]) }

  /// The rows to compare: of two or three all but the most frequent one, whose change is that of the others.
  private var comparedRows: [Int] {
    if labels.count == 2, let row = values.firstIndex(of: "true") { return [row] }
    return labels.indices.dropFirst((2...3).contains(labels.count) ? 1 : 0).map(\.self)
  }

  /// The number of standard errors, in thousandths, by which the first of two shares is larger.
  private static func distance(_ a: [Int], _ b: [Int], _ row: Int) -> Double {
    let (allA, allB) = (
      Double(a.reduce(0) { $0.addingSaturated($1) }), Double(b.reduce(0) { $0.addingSaturated($1) })
    )
    guard allA > 0, allB > 0 else { return 0 }
    let (inA, inB) = (Double(a[row]), Double(b[row]))
    let both = (inA + inB) / (allA + allB)
    let error = (both * (1 - both) * (1 / allA + 1 / allB)).squareRoot()
    return error > 0 ? 1000 * (inA / allA - inB / allB) / error : 0
  }
}

extension HistogramMaker {
  /// The content for a text: the share of each of its values; `nil` for numbers.
  func sharesContent(courseSize: (columns: Int, rows: Int)) -> HistogramContent? {
    guard let shares = source.shares([a.choice] + (b.map { [$0.choice] } ?? [])) else { return nil }
    var content = HistogramContent()
    let (sideA, sideB) = (source.side(a.name, a.choice), b.map { source.side($0.name, $0.choice) })
    let difference = b.flatMap { shares.difference(a.choice, against: $0.choice) }
    let figures = HistogramFigures(
      sideA.side, against: sideB?.side, on: shares.grid, percentiles: [],
      ground: difference?.ground ?? .samples, comparison: difference?.comparison)
    content.figures = figures
    content.labels = shares.labels
    content.verdict = VerdictSentence(figures, unit: .plain)
    content.verdict?.overlap = overlap
    if let difference, figures.rows.indices.contains(difference.row) {
      let row = figures.rows[difference.row]
      content.verdict?.share = VerdictSentence.Share(
        value: shares.labels[difference.row], field: shares.isTrue(difference.row) ? name : nil,
        a: row.shareA, b: row.shareB)
    }
    (content.coveredA, content.coveredB) = (sideA.covered, sideB?.covered)
    content.dimensions = source.dimensions.map(\.name)
    content.fieldsGivenUp = source.fieldsGivenUp
    content.versions = versions()
    if courseSize.columns > 0, courseSize.rows > 0 {
      content.course = HistogramCourse(
        shares.course(a.choice), b.map { shares.course($0.choice) } ?? [],
        on: HistogramGrid(scale: .recorded, rows: Array(shares.grid.rows.prefix(courseSize.rows))),
        columns: courseSize.columns)
    }
    return content
  }
}
