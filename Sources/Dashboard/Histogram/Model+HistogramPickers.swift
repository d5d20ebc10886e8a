import Aggregation
import Codecs
import History

// What can be chosen from on the Histogram screen.
extension Model {
  // MARK: Metrics

  /// All that may have numbers: histograms of payloads, then series, by name.
  var histogramMetrics: [HistogramSubject] {
    let figures = histogram.payloads?.histogramNames() ?? []
    let series = (history.picture?.series ?? []).map(\.identity).filter {
      isNumeric($0) && HistogramSubject($0) == .series($0)
    }
    return figures.map(HistogramSubject.payload)
      + series.sorted { $0.isListed(before: $1) }.map(HistogramSubject.series)
  }

  // MARK: Sides

  /// Minutes that a side may be the last of, in seconds.
  private static let lengths: [Double] = [120, 600, 3600, 86_400]

  /// What a side can be of: versions first, then other values, files, and stretches of time.
  func histogramChoices(_ picker: Picker) -> [NamedChoice] {
    guard let source = histogramSource else { return [] }
    var choices: [HistogramChoice] = picker == .sideB ? [.nothing, .everything] : [.everything]
    let first = source.versionDimension
    let versions = source.versions.map { HistogramChoice.label(dimension: first ?? "", value: .value($0)) }
    choices.insert(contentsOf: versions, at: picker == .sideB ? 1 : 0)
    for (dimension, values) in source.dimensions where dimension != first {
      choices += values.map { .label(dimension: dimension, value: .value($0)) }
    }
    choices += timeChoices
    return choices.map { NamedChoice(name: title(of: $0), choice: $0) }
  }

  private var timeChoices: [HistogramChoice] {
    guard let whole = knownRange else { return [] }
    let end = moment
    var windows = Self.lengths.filter { end - $0 > whole.lowerBound }.flatMap { length in
      [end - length..<end.nextUp, max(whole.lowerBound, end - 2 * length)..<end - length]
    }
    let marks = notes.marks.values.map(\.time).sorted()
    for mark in marks where mark > whole.lowerBound && mark < whole.upperBound {
      windows += [whole.lowerBound..<mark, mark..<whole.upperBound.nextUp]
    }
    for (from, to) in zip(marks, marks.dropFirst()) where from < to { windows.append(from..<to) }
    return windows.map(HistogramChoice.window)
  }

  /// What a choice is called in the list.
  private func title(of choice: HistogramChoice) -> String {
    switch choice {
    case .nothing: return "nothing: A alone"
    case .everything: return "everything (\(histogramRangeText))"
    case .label(let dimension, let value): return "\(dimension) \(value.words)"
    case .window(let window):
      let length = DurationFormat.text(window.upperBound - window.lowerBound)
      let words = window.upperBound >= moment ? "the last \(length)" : "the \(length) before"
      return Self.lengths.contains { abs($0 - (window.upperBound - window.lowerBound)) < 1e-3 }
        ? "\(words): \(name(of: window))" : "from \(name(of: window))"
    }
  }

  /// Takes a choice; after A comes B.
  mutating func choose(_ choice: HistogramChoice, as picker: Picker) {
    if picker == .sideA {
      histogram.look.a = choice
      startPicker(.sideB)
    } else {
      histogram.look.b = choice
    }
  }

  // MARK: Percentiles

  private static let percentilePresets: [[Double]] = [
    HistogramLook.usualPercentiles, [50, 90, 99, 99.9], [5, 25, 50, 75, 95], [90, 95, 99, 99.9, 99.99],
    [50, 95],
  ]

  /// So many percentiles are shown at most.
  package static let percentileLimit = 9

  static func percentileChoices(_ query: String) -> [[Double]] {
    guard let typed = percentiles(query) else { return percentilePresets }
    return [typed] + percentilePresets.filter { $0 != typed }
  }

  /// The percentiles of a text such as `50 90,99.9`; `nil` for what is none.
  package static func percentiles(_ text: String) -> [Double]? {
    let words = text.split { " ,;p".contains($0) }
    let numbers = words.compactMap { Double($0) }.filter { $0 >= 0 && $0 <= 100 }
    guard !words.isEmpty, numbers.count == words.count, numbers.count <= percentileLimit else { return nil }
    return Set(numbers).sorted()
  }

  /// `p50 p99.9`, so that what was typed matches it.
  static func title(ofPercentiles percentiles: [Double]) -> String {
    percentiles.map(name(ofPercentile:)).joined(separator: " ")
  }

  /// What a percentile is called: `p99.9`.
  static func name(ofPercentile percentile: Double) -> String {
    percentile == percentile.rounded() ? "p\(Int(percentile))" : "p\(percentile)"
  }
}
