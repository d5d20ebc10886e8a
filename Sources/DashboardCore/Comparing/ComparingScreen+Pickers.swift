import Aggregation
import Codecs
import History
import Platform
import QueryLanguage

extension Picker {
  /// The metric of the histogram.
  package static let metric = Picker(name: "metric", title: "A histogram of", takesQueries: true)
  /// Pickers for the two sides.
  package static let sideA = Picker(name: "sideA", title: "Compare: choose A")
  package static let sideB = Picker(name: "sideB", title: "Compare with: choose B")
}

// Choices available on the screens that compare sides.
extension ComparingScreen {
  /// All that may have numbers and that a query of names chooses: histograms of payloads, then series, by name.
  ///
  /// - Parameter query: What is typed; where it is no query, its words are looked for.
  package func metricChoices(_ query: String) -> [PickerChoice<Self>] {
    let words = query.lowercased().split(separator: " ")
    let isWanted: (String) -> Bool
    if let query = try? Query.parse(query, knowing: []) {
      isWanted = query.matches(name:)
    } else {
      isWanted = { name in words.allSatisfy { name.lowercased().contains($0) } }
    }
    let figures = payloads?.histogramNames() ?? []
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

  package func sideChoices(_ picker: Picker) -> [PickerChoice<Self>] {
    sideCandidates(picker).map { choice in
      PickerChoice(title(of: choice)) { $0.choose(choice, as: picker) }
    }
  }

  /// Candidates for a side: versions first, then other values, files, and stretches of time.
  private func sideCandidates(_ picker: Picker) -> [HistogramChoice] {
    guard let candidates else { return [] }
    var choices: [HistogramChoice] = picker == .sideB ? [.nothing, .everything] : [.everything]
    let first = candidates.versionDimension
    let versions = candidates.versions.map {
      HistogramChoice.label(dimension: first ?? "", value: .value($0))
    }
    choices.insert(contentsOf: versions, at: picker == .sideB ? 1 : 0)
    for (dimension, values) in candidates.dimensions where dimension != first {
      choices += values.map { .label(dimension: dimension, value: .value($0)) }
    }
    return choices + timeChoices
  }

  private var timeChoices: [HistogramChoice] {
    guard let whole = session.knownRange else { return [] }
    let end = session.present
    var windows = RangeLengths.last.filter { end - $0 > whole.lowerBound }.flatMap { length in
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
      return RangeLengths.last.contains { abs($0 - (window.upperBound - window.lowerBound)) < 1e-3 }
        ? "\(words): \(name(of: window))" : "from \(name(of: window))"
    }
  }

  /// Sets one side; after A comes B.
  private mutating func choose(_ choice: HistogramChoice, as picker: Picker) {
    if picker == .sideA {
      sides.a = choice
      session.startPicker(.sideB)
    } else {
      sides.b = choice
      widenRange()
    }
  }
}
