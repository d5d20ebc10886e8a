import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import QueryLanguage

extension Picker {
  /// Whose numbers a histogram shows.
  static let metric = Picker(name: "metric", title: "A histogram of", takesQueries: true)
  /// Pickers for the two sides of a histogram.
  static let sideA = Picker(name: "sideA", title: "Compare: choose A")
  static let sideB = Picker(name: "sideB", title: "Compare with: choose B")
  /// Which percentiles are shown.
  static let percentiles = Picker(name: "percentiles", title: "Percentiles, or type your own")
}

// Choices available on the Histogram screen.
extension HistogramScreen {
  /// All that may have numbers and that a query of names chooses: histograms of payloads, then series, by name.
  ///
  /// - Parameter query: What is typed; where it is no query, its words are looked for.
  func metricChoices(_ query: String) -> [PickerChoice<HistogramScreen>] {
    let words = query.lowercased().split(separator: " ")
    let isWanted: (String) -> Bool
    if let query = try? Query.parse(query, knowing: []) {
      isWanted = query.matches(name:)
    } else {
      isWanted = { name in words.allSatisfy { name.lowercased().contains($0) } }
    }
    let figures = state.payloads?.histogramNames() ?? []
    let series = (session.history.answer?.series ?? []).map(\.identity).filter {
      session.isNumeric($0) && HistogramSubject($0) == .series($0)
    }
    let subjects =
      figures.map(HistogramSubject.payload)
      + series.sorted { $0.isListed(before: $1) }.map(HistogramSubject.series)
    return subjects.filter { isWanted($0.name) }.map { subject in
      PickerChoice(subject.name) { $0.show(subject) }
    }
  }

  // MARK: Sides

  func sideChoices(_ picker: Picker) -> [PickerChoice<HistogramScreen>] {
    sideCandidates(picker).map { choice in
      PickerChoice(title(of: choice)) { $0.choose(choice, as: picker) }
    }
  }

  /// Candidates for a side: versions first, then other values, files, and stretches of time.
  private func sideCandidates(_ picker: Picker) -> [HistogramChoice] {
    guard let source else { return [] }
    var choices: [HistogramChoice] = picker == .sideB ? [.nothing, .everything] : [.everything]
    let first = source.versionDimension
    let versions = source.versions.map { HistogramChoice.label(dimension: first ?? "", value: .value($0)) }
    choices.insert(contentsOf: versions, at: picker == .sideB ? 1 : 0)
    for (dimension, values) in source.dimensions where dimension != first {
      choices += values.map { .label(dimension: dimension, value: .value($0)) }
    }
    return choices + timeChoices
  }

  private var timeChoices: [HistogramChoice] {
    guard let whole = session.knownRange else { return [] }
    let end = session.present
    var windows = HistogramScreen.lengths.filter { end - $0 > whole.lowerBound }.flatMap { length in
      [end - length..<end.nextUp, max(whole.lowerBound, end - 2 * length)..<end - length]
    }
    let marks = session.notes.marks.values.map(\.time).sorted()
    for mark in marks where mark > whole.lowerBound && mark < whole.upperBound {
      windows += [whole.lowerBound..<mark, mark..<whole.upperBound.nextUp]
    }
    for (from, to) in zip(marks, marks.dropFirst()) where from < to { windows.append(from..<to) }
    return windows.map(HistogramChoice.window)
  }

  /// The name of a choice in the list.
  private func title(of choice: HistogramChoice) -> String {
    switch choice {
    case .nothing: return "nothing: A alone"
    case .everything: return "everything (\(rangeText))"
    case .label(let dimension, let value): return "\(dimension) \(value.words)"
    case .window(let window):
      let length = DurationFormat.text(window.upperBound - window.lowerBound)
      let words = window.upperBound >= session.present ? "the last \(length)" : "the \(length) before"
      return HistogramScreen.lengths.contains { abs($0 - (window.upperBound - window.lowerBound)) < 1e-3 }
        ? "\(words): \(name(of: window))" : "from \(name(of: window))"
    }
  }

  /// Sets one side; after A comes B.
  private mutating func choose(_ choice: HistogramChoice, as picker: Picker) {
    if picker == .sideA {
      state.options.a = choice
      session.startPicker(.sideB)
    } else {
      state.options.b = choice
      widenRange()
    }
  }
}

extension HistogramScreen {
  /// Minutes that a side may be the last of, in seconds.
  fileprivate static let lengths: [Double] = [120, 600, 3600, 86_400]

  // MARK: Percentiles

  private static let percentilePresets: [[Double]] = [
    HistogramOptions.usualPercentiles, [50, 90, 99, 99.9], [5, 25, 50, 75, 95], [90, 95, 99, 99.9, 99.99],
    [50, 95],
  ]

  /// Maximum number of percentiles shown.
  static let percentileLimit = 9

  static func percentileChoices(_ query: String) -> [PickerChoice<Self>] {
    let typed = percentiles(query)
    let all = (typed.map { [$0] } ?? []) + percentilePresets.filter { $0 != typed }
    return all.map { percentiles in
      // The typed text is part of its title, so that it matches.
      let words = percentiles == typed ? "   \(query)" : ""
      return PickerChoice(title(ofPercentiles: percentiles) + words) {
        $0.state.options.percentiles = percentiles
      }
    }
  }

  /// The percentiles of a text such as `50 90,99.9`; `nil` for what is none.
  static func percentiles(_ text: String) -> [Double]? {
    let words = text.split { " ,;p".contains($0) }
    let numbers = words.compactMap { Double($0) }.filter { $0 >= 0 && $0 <= 100 }
    guard !words.isEmpty, numbers.count == words.count, numbers.count <= percentileLimit else { return nil }
    return Set(numbers).sorted()
  }

  /// `p50 p99.9`, so that what was typed matches it.
  private static func title(ofPercentiles percentiles: [Double]) -> String {
    percentiles.map(name(ofPercentile:)).joined(separator: " ")
  }

  /// The name of a percentile: `p99.9`.
  static func name(ofPercentile percentile: Double) -> String {
    percentile == percentile.rounded() ? "p\(Int(percentile))" : "p\(percentile)"
  }
}
