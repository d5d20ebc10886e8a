import Codecs
import History
import TelemetryCore

/// The names under which a condition finds the rows of the overview.
struct FigureNames {
  /// Usual names of figures whose own name is long.
  private static let usual = [
    "launch": "applicationLaunchMetrics.histogrammedTimeToFirstDraw",
    "resume": "applicationLaunchMetrics.histogrammedApplicationResumeTime",
    "hang": "applicationResponsivenessMetrics.histogrammedApplicationHangTime",
    "memory": "memoryMetrics.peakMemoryUsage", "disk writes": "diskIOMetrics.cumulativeLogicalWrites",
    "scroll hitch": "animationMetrics.scrollHitchTimeRatio", "hitch": "animationMetrics.hitchTimeRatio",
  ]

  private let rows: [PayloadOverview.Row]

  init(_ rows: [PayloadOverview.Row]) { self.rows = rows }

  /// The row that is meant: by its usual name, its recorded one, or the words of its section and label.
  ///
  /// - Returns: `nil` if there is none, or more than one.
  func row(named name: String) -> PayloadOverview.Row? {
    let known = Self.usual[name] ?? name
    if let row = rows.first(where: {
      $0.id.figure.name.lowercased() == known.lowercased() && $0.id.part == .whole
    }) {
      return row
    }
    if name == "hang rate" { return rows.first { $0.id.part == .pooledRate } }
    let words = Set(Self.words(name))
    let found = rows.filter { words.isSubset(of: Self.words($0.name)) }
    return found.count == 1 ? found[0] : found.first { Set(Self.words($0.label)) == words }
  }

  /// True for the name of a figure of Apple's payloads, whichever of them these payloads have.
  static func isKnown(_ name: String) -> Bool {
    if usual[name] != nil || name == "hang rate" { return true }
    let words = Set(words(name))
    return OverviewFigure.catalog.contains { prefix, section, figures in
      figures.contains { property, label, _ in
        "\(prefix).\(property)".lowercased() == name || Set(Self.words("\(section.title) \(label)")) == words
      }
    }
  }

  /// Names like an unknown one, for a message.
  func nearest(to name: String) -> String {
    let words = Set(Self.words(name))
    let near = rows.filter { !words.isDisjoint(with: Self.words($0.name)) }.map(\.name)
    if let closest = Suggestion.closest(to: name, among: rows.map(\.name) + Self.usual.keys.sorted()) {
      return closest
    }
    return (near.isEmpty ? rows.map(\.name) : near).prefix(4).joined(separator: ", ")
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}

extension PayloadOverview.Row {
  /// The section and the label: `memory peak`.
  var name: String {
    "\(section.title.lowercased()) \(label)"
  }

  /// A side's measure with its unit and its number of samples: `p95 1.93s (n 5,210)`.
  func text(_ measure: PayloadCondition.Measure, _ value: OverviewValue) -> String {
    let count =
      switch value.count {
      case .samples(let count): "n \(NumberFormat.grouped(count))"
      case .days(let count): "\(NumberFormat.grouped(count)) day\(count == 1 ? "" : "s")"
      }
    let word = if case .percentile(let percentile) = measure { "p\(Int(percentile)) " } else { "" }
    return "\(word)\(figure(measure, value) ?? "too few") (\(count))"
  }

  /// The relative change of a measure from B to A; `nil` if it is undefined.
  func change(of measure: PayloadCondition.Measure) -> Double? {
    guard let mine = a.flatMap({ base(measure, $0) }), let other = b.flatMap({ base(measure, $0) }), other > 0
    else { return nil }
    return mine / other - 1
  }

  private func figure(_ measure: PayloadCondition.Measure, _ value: OverviewValue) -> String? {
    switch measure {
    case .mean: shown(value).unit.text(shown(value).value)
    case .percentile(let percentile): Self.percentile(percentile, of: value).map { unit.text($0) }
    }
  }

  /// A side's measure in seconds, bytes or plain; `nil` if there are too few samples.
  func base(_ measure: PayloadCondition.Measure, _ value: OverviewValue) -> Double? {
    switch measure {
    case .mean: shown(value).unit.base(shown(value).value)
    case .percentile(let percentile): Self.percentile(percentile, of: value).map { unit.base($0) }
    }
  }

  private static func percentile(_ percentile: Double, of value: OverviewValue) -> Double? {
    value.percentiles.first { $0.percentile == percentile }?.value
  }
}
