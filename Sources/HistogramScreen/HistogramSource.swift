import Aggregation
import DashboardCore
import History
import Platform
import TelemetryCore

/// The source of a histogram's numbers: samples, or the bins of payloads.
enum HistogramSource: SideCandidates, Sendable {
  /// Numbers; `isWhole` marks series of an integer type.
  case samples(SampleCube, close: CloseCube?, isWhole: Bool = false)
  /// Texts or bools: each sample is a 0 with its value as a label.
  case texts(SampleCube, close: CloseCube?)
  case payloads(PayloadArchive, figure: String)

  /// The samples of a short time range, in more detail than the slots of the whole.
  struct CloseCube: Sendable {
    let window: Range<Timestamp>
    let cube: SampleCube
  }

  /// A chosen side, and what it actually covers.
  struct Side: Sendable {
    let side: HistogramSide
    let marks: PayloadMarks
    /// Number of payloads of the choice that do not count.
    let leftOut: Int
    /// The time range actually covered, if that consists of whole slots.
    var covered: Range<Timestamp>?
  }

  /// True if only counts of bins are known.
  var hasBins: Bool {
    if case .payloads(let archive, let figure) = self { !archive.isOfNumbers(figure) } else { false }
  }

  /// Dimensions that distinguish samples, each with its values; the most informative first.
  var dimensions: [(name: String, values: [String])] {
    switch self {
    case .samples(let cube, _, _): cube.dimensions.filter { $0.values.count > 0 }
    case .texts(let cube, _): cube.dimensions.filter { $0.name != SampleCube.valueDimension }
    case .payloads(let archive, _): archive.dimensions
    }
  }

  /// Fields with too many values to select by.
  var fieldsGivenUp: [String] {
    switch self {
    case .samples(let cube, _, _): cube.fieldsGivenUp
    case .texts(let cube, _): cube.fieldsGivenUp.filter { $0 != SampleCube.valueDimension }
    case .payloads: []
    }
  }

  /// The dimension with app versions; `nil` if there is none.
  var versionDimension: String? {
    if case .payloads(let archive, _) = self { return archive.versionDimension }
    let names = dimensions.map(\.name)
    return Self.versionNames.lazy.compactMap { wanted in names.first { Self.isCalled(wanted, $0) } }.first
  }

  /// True if the name of a field suggests versions.
  static func namesVersion(_ field: String) -> Bool { versionNames.contains { isCalled($0, field) } }

  private static func isCalled(_ wanted: String, _ name: String) -> Bool {
    name.lowercased() == wanted || name.lowercased().hasSuffix("." + wanted)
  }

  private static let versionNames = [
    "version", "appversion", "app_version", "ver", "build", "release",
  ]

  /// The versions, newest first; empty if none are known.
  var versions: [String] {
    if case .payloads(let archive, _) = self { return archive.versions }
    guard let dimension = versionDimension,
      let values = dimensions.first(where: { $0.name == dimension })?.values
    else { return [] }
    return values.sorted { VersionOrder.isNewer($0, than: $1) }
  }

  /// All numbers of a choice.
  func side(_ name: String, _ choice: SampleCube.Choice) -> Side {
    switch self {
    case .samples(let cube, let close, let isWhole):
      let cube = closest(cube, close, to: choice)
      let isRough = !(close?.holds(choice.window) ?? false)
      return Side(
        side: HistogramSide(name: name, cube.selection(choice), isWhole: isWhole), marks: [], leftOut: 0,
        covered: isRough ? choice.window.flatMap(cube.covered).map { Range(seconds: $0) } : nil)
    case .texts(let cube, let close):
      let shares = TextShares(closest(cube, close, to: choice), of: cube)
      let isRough = !(close?.holds(choice.window) ?? false)
      let rows = Dictionary(uniqueKeysWithValues: shares.counts(of: choice).enumerated().map { ($0, $1) })
      let selection = SampleCube.Selection(bins: TextShares.bins(rows))
      return Side(
        side: HistogramSide(name: name, selection), marks: [], leftOut: 0,
        covered: isRough ? choice.window.flatMap(shares.cube.covered).map { Range(seconds: $0) } : nil)
    case .payloads(let archive, let figure):
      let selection = PayloadSelection(archive, choice, for: figure)
      let numbers = selection.numbers(of: figure).map { HistogramSide(name: name, $0) }
      return Side(
        side: numbers ?? HistogramSide(name: name, days: selection.days(of: figure)), marks: selection.marks,
        leftOut: selection.mixedLeftOut + selection.simulatedLeftOut)
    }
  }

  /// The number of samples of a choice.
  func count(of choice: SampleCube.Choice) -> Int {
    switch self {
    case .samples(let cube, let close, _), .texts(let cube, let close):
      closest(cube, close, to: choice).count(of: choice)
    case .payloads: side("", choice).side.count
    }
  }

  func has(_ choice: SampleCube.Choice) -> Bool { count(of: choice) > 0 }

  /// The shares of values for two choices, from the most detailed cube that holds both; `nil` for numbers.
  func shares(_ choices: [SampleCube.Choice]) -> TextShares? {
    guard case .texts(let cube, let close) = self else { return nil }
    let isClose = choices.allSatisfy { close?.holds($0.window) ?? false }
    return TextShares(isClose ? close?.cube ?? cube : cube, of: cube)
  }

  /// The most detailed cube that holds a choice.
  private func closest(_ cube: SampleCube, _ close: CloseCube?, to choice: SampleCube.Choice) -> SampleCube {
    close.flatMap { $0.holds(choice.window) ? $0.cube : nil } ?? cube
  }

  /// The numbers of a choice by their value in a dimension.
  func split(by dimension: String, _ choice: SampleCube.Choice) -> [(value: SampleCube.LabelValue, Side)] {
    switch self {
    case .samples(let cube, let close, let isWhole):
      let cube = closest(cube, close, to: choice)
      return cube.split(by: dimension, choice).map { value, selection in
        (
          value,
          Side(side: HistogramSide(name: value.words, selection, isWhole: isWhole), marks: [], leftOut: 0)
        )
      }
    case .texts(let cube, let close):
      return closest(cube, close, to: choice).split(by: dimension, choice).map { value, _ in
        var choice = choice
        choice.labels[dimension] = value
        return (value, side(value.words, choice))
      }
    case .payloads(let archive, _):
      return archive.values(in: dimension).map(SampleCube.LabelValue.value).compactMap { value in
        if let fixed = choice.labels[dimension], fixed != value { return nil }
        var choice = choice
        choice.labels[dimension] = value
        let side = side(value.words, choice)
        return side.side.count > 0 ? (value, side) : nil
      }
    }
  }

  /// The time before its timestamp that a payload covers, in seconds.
  private static let day = 86_400.0

  /// The bins of a choice by time range, earliest first, each with its start and its length in seconds.
  func course(_ choice: SampleCube.Choice) -> [Stretch] {
    switch self {
    case .samples(let cube, let close, _):
      let cube = closest(cube, close, to: choice)
      return cube.slots(choice).map { start, slot in
        let (least, most) = (slot.moments.minimum, slot.moments.maximum)
        return (Timestamp(start), cube.step, slot.bins.map { $0.clamped(from: least, to: most) })
      }
    case .texts: return shares([choice])?.course(choice) ?? []
    case .payloads(let archive, let figure):
      return PayloadSelection(archive, choice, for: figure).payloads.compactMap { payload in
        payload.bins(of: figure, in: archive).map { (payload.time - Self.day, Self.day, $0) }
      }
    }
  }
}

extension HistogramSource.CloseCube {
  /// True if it contains a time range.
  func holds(_ window: Range<Double>?) -> Bool {
    guard let window else { return false }
    let own = self.window.seconds
    return window.lowerBound >= own.lowerBound && window.upperBound <= own.upperBound
  }
}
