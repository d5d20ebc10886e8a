import Aggregation
import DashboardCore
import History
import Platform
import TelemetryCore

/// The source of a histogram's numbers: samples, or the bins of payloads.
enum HistogramSource: SideCandidates, Sendable {
  /// Those whose type is one of whole numbers are told as such.
  case samples(SampleCube, close: CloseCube?, isWhole: Bool = false)
  /// Texts or bools, each of which is a 0 with its value as a label.
  case texts(SampleCube, close: CloseCube?)
  case payloads(PayloadArchive, figure: String)

  /// The samples of a short stretch of time, told more closely than the slots of the whole tell them.
  struct CloseCube: Sendable {
    let window: Range<Timestamp>
    let cube: SampleCube
  }

  /// A side as it was chosen, with what it has been found to be.
  struct Side: Sendable {
    let side: HistogramSide
    let marks: PayloadMarks
    /// Payloads of the choice that do not count.
    let leftOut: Int
    /// The stretch of time that it is really of, where that is told by whole slots.
    var covered: Range<Timestamp>?
  }

  /// Dimensions that tell samples apart, each with its values; the most telling first.
  var dimensions: [(name: String, values: [String])] {
    switch self {
    case .samples(let cube, _, _): cube.dimensions.filter { $0.values.count > 0 }
    case .texts(let cube, _): cube.dimensions.filter { $0.name != SampleCube.valueDimension }
    case .payloads(let archive, _): archive.dimensions
    }
  }

  /// Fields that samples cannot be chosen by, for they have too many values.
  var fieldsGivenUp: [String] {
    switch self {
    case .samples(let cube, _, _): cube.fieldsGivenUp
    case .texts(let cube, _): cube.fieldsGivenUp.filter { $0 != SampleCube.valueDimension }
    case .payloads: []
    }
  }

  /// The dimension that has versions of an app, where there is one.
  var versionDimension: String? {
    if case .payloads(let archive, _) = self { return archive.versionDimension }
    let names = dimensions.map(\.name)
    return Self.versionNames.lazy.compactMap { wanted in names.first { Self.isCalled(wanted, $0) } }.first
  }

  /// True if a field is called as one that has versions.
  static func namesVersion(_ field: String) -> Bool { versionNames.contains { isCalled($0, field) } }

  private static func isCalled(_ wanted: String, _ name: String) -> Bool {
    name.lowercased() == wanted || name.lowercased().hasSuffix("." + wanted)
  }

  private static let versionNames = [
    "version", "appversion", "app_version", "ver", "build", "release",
  ]

  /// The versions, the newest first; empty where none are known.
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
      let selection = PayloadSelection(archive, choice)
      return Side(
        side: HistogramSide(name: name, days: selection.days(of: figure)), marks: selection.marks,
        leftOut: selection.mixedLeftOut + selection.simulatedLeftOut)
    }
  }

  /// How many samples there are of a choice.
  func count(of choice: SampleCube.Choice) -> Int {
    switch self {
    case .samples(let cube, let close, _), .texts(let cube, let close):
      closest(cube, close, to: choice).count(of: choice)
    case .payloads: side("", choice).side.count
    }
  }

  func has(_ choice: SampleCube.Choice) -> Bool { count(of: choice) > 0 }

  /// The shares of values as two choices are told most closely; `nil` for numbers.
  func shares(_ choices: [SampleCube.Choice]) -> TextShares? {
    guard case .texts(let cube, let close) = self else { return nil }
    let isClose = choices.allSatisfy { close?.holds($0.window) ?? false }
    return TextShares(isClose ? close?.cube ?? cube : cube, of: cube)
  }

  /// The cube that describes a choice most closely.
  private func closest(_ cube: SampleCube, _ close: CloseCube?, to choice: SampleCube.Choice) -> SampleCube {
    close.flatMap { $0.holds(choice.window) ? $0.cube : nil } ?? cube
  }

  /// The numbers of a choice by what they have in a dimension.
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

  /// The time covered by a payload, before its own time, in seconds.
  private static let day = 86_400.0

  /// The bins of a choice by stretches of time, the earliest first, each with its begin and its length in seconds.
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
      return PayloadSelection(archive, choice).payloads.compactMap { payload in
        guard let day = payload.histogram(of: figure, in: archive) else { return nil }
        return (payload.time - Self.day, Self.day, day.intervals)
      }
    }
  }
}

extension HistogramSource.CloseCube {
  /// True if all of a stretch of time is in it.
  func holds(_ window: Range<Double>?) -> Bool {
    guard let window else { return false }
    let own = self.window.seconds
    return window.lowerBound >= own.lowerBound && window.upperBound <= own.upperBound
  }
}
