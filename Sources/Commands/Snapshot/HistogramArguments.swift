import Aggregation
import DashboardCore
import HistogramScreen
import Platform

/// The options of `snapshot` that set up the Histogram screen.
enum HistogramArguments {
  /// The screen that the options apply to.
  static let screen = "histogram"

  private static let a = CommandOption(
    "a", "CHOICE",
    help: "side A of the histogram: all, none, FIELD=VALUE or FROM..TO (default: what differs most)")
  private static let b = CommandOption("b", "CHOICE", help: "side B, which A is compared with")
  private static let only = CommandOption(
    "only", "FIELD=VALUE", help: "only samples with this value; FIELD= those without one (repeatable)")
  private static let group = CommandOption("group", "FIELD", help: "the field to split the histogram by")
  private static let scale = CommandOption(
    "scale", "SCALE", completion: .words(scales.map(\.key)),
    help: "linear, log or recorded: the width of the rows (default: from the data)")
  private static let scales: KeyValuePairs<String, HistogramGrid.Scale> = [
    "linear": .linear, "log": .logarithmic, "recorded": .recorded,
  ]
  private static let percentiles = CommandOption(
    "percentiles", "LIST", help: "from 0 to 100, such as 50,90,99 (default: 50,75,90,95,99)")
  private static let lens = CommandOption(
    "lens", help: "draw bars beyond the larger 90th percentile eight times as long")
  private static let hideFew = CommandOption("hide-few", help: "leave out versions with few samples")
  static let overview = CommandOption(
    "overview", help: "everything that payloads contain, instead of one histogram")

  static let all = [a, b, only, group, scale, percentiles, lens, hideFew, overview]

  /// Maximum percentiles shown.
  private static let percentileLimit = 12

  /// The options that were given.
  static func options(_ arguments: Arguments) throws(UsageError) -> HistogramOptions {
    var options = HistogramOptions()
    options.sides.a = try choice(a, arguments)
    options.sides.b = try choice(b, arguments)
    for text in arguments.values(only) {
      guard let (field, value) = label(text) else {
        throw .invalidValue(text, for: only.flag, expected: "FIELD=VALUE, such as version=2.4.1")
      }
      options.sides.only[field] = value
    }
    options.group =
      try arguments.value(group, expecting: "the name of a field") { $0.isEmpty ? nil : $0 } ?? options.group
    options.scale =
      try arguments.choice(scale).flatMap { word in scales.first { $0.key == word }?.value } ?? options.scale
    options.percentiles =
      try arguments.value(
        percentiles, expecting: "up to \(percentileLimit) numbers from 0 to 100, such as 50,90,99",
        numbers) ?? options.percentiles
    options.hasLens = arguments.has(lens)
    options.hidesFew = arguments.has(hideFew)
    return options
  }

  private static func choice(
    _ option: CommandOption, _ arguments: Arguments
  ) throws(UsageError) -> HistogramChoice? {
    let expected = "all, none, FIELD=VALUE, or FROM..TO with times as for --at, the earlier one first"
    return try arguments.value(option, expecting: expected) { text in
      if text == "all" { return .everything }
      if text == "none" { return .nothing }
      if let (field, value) = label(text) { return .label(dimension: field, value: value) }
      return window(text, now: arguments.environment.now).map { .window($0) }
    }
  }

  /// Parses `version=2.4.1`; an empty value stands for samples without that label.
  private static func label(_ text: String) -> (String, SampleCube.LabelValue)? {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
    let value = String(text[text.index(after: sign)...])
    return (String(text[..<sign]), value.isEmpty ? .missing : .value(value))
  }

  private static func window(_ text: String, now: Timestamp) -> Range<Timestamp>? {
    guard let dots = text.firstRange(of: "..") else { return nil }
    guard let from = TimeArgument.moment(String(text[..<dots.lowerBound]), now: now),
      let to = TimeArgument.moment(String(text[dots.upperBound...]), now: now), from < to
    else { return nil }
    return from..<to
  }

  private static func numbers(_ text: String) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }.filter { $0 >= 0 && $0 <= 100 }
    guard numbers.count == parts.count, numbers.count <= percentileLimit else { return nil }
    return Set(numbers).sorted()
  }
}
