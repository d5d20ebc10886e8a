import Aggregation
import Dashboard

// What is chosen of the Histogram screen.
extension CommandLineParser {
  /// The options that only the Histogram screen has.
  static let histogramOptions = [
    "a", "b", "only", "group", "scale", "percentiles", "no-lens", "hide-few", "overview",
  ]
  /// The most percentiles that are shown.
  private static let percentileLimit = 12

  /// The look that the options ask for.
  func histogramLook(_ scanned: ScannedOptions) throws(UsageError) -> HistogramLook {
    var look = HistogramLook()
    look.metric = scanned.value("metric")
    look.a = try choice("a", scanned)
    look.b = try choice("b", scanned)
    for option in scanned.options where option.name == "only" {
      guard let (field, value) = label(option.value) else {
        throw .badValue(
          option: "--only", value: option.value, expected: "FIELD=VALUE, such as version=2.4.1")
      }
      look.only[field] = value
    }
    if let group = scanned.value("group") {
      guard !group.isEmpty else {
        throw .badValue(option: "--group", value: group, expected: "the name of a field")
      }
      look.group = group
    }
    if let text = scanned.value("scale") {
      let scales: [String: HistogramGrid.Scale] = [
        "linear": .linear, "log": .logarithmic, "recorded": .recorded,
      ]
      guard let scale = scales[text] else {
        throw .badValue(option: "--scale", value: text, expected: "linear, log or recorded")
      }
      look.scale = scale
    }
    if let text = scanned.value("percentiles") { look.percentiles = try percentiles(text) }
    look.hasLens = !scanned.has("no-lens")
    look.hidesFew = scanned.has("hide-few")
    look.isOverview = scanned.has("overview")
    return look
  }

  private func choice(_ name: String, _ scanned: ScannedOptions) throws(UsageError) -> HistogramChoice? {
    guard let text = scanned.value(name) else { return nil }
    if text == "all" { return .everything }
    if text == "none" { return .nothing }
    if let (field, value) = label(text) { return .label(dimension: field, value: value) }
    if let window = window(text) { return .window(window) }
    throw .badValue(
      option: "--" + name, value: text,
      expected: "all, none, FIELD=VALUE, or FROM..TO with times as for --at, the earlier one first")
  }

  /// `version=2.4.1`; nothing behind the sign for samples without a value.
  private func label(_ text: String) -> (String, SampleCube.LabelValue)? {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
    let value = String(text[text.index(after: sign)...])
    return (String(text[..<sign]), value.isEmpty ? .missing : .value(value))
  }

  private func window(_ text: String) -> Range<Double>? {
    guard let dots = text.firstRange(of: "..") else { return nil }
    guard let from = TimeArgument.seconds(String(text[..<dots.lowerBound]), now: surroundings.now),
      let to = TimeArgument.seconds(String(text[dots.upperBound...]), now: surroundings.now), from < to
    else { return nil }
    return from..<to
  }

  private func percentiles(_ text: String) throws(UsageError) -> [Double] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }.filter { $0 >= 0 && $0 <= 100 }
    guard numbers.count == parts.count, numbers.count <= Self.percentileLimit else {
      throw .badValue(
        option: "--percentiles", value: text,
        expected: "up to \(Self.percentileLimit) numbers from 0 to 100, such as 50,90,99")
    }
    return Set(numbers).sorted()
  }
}
