import Aggregation
import Codecs
import DashboardCore
import History
import TelemetryCore

/// The names under which a condition finds the rows of the overview.
struct FigureNames {
  private static let usual = KnownFigure.all.compactMap(\.usual)

  private let rows: [PayloadOverview.Row]

  init(_ rows: [PayloadOverview.Row]) { self.rows = rows }

  /// The row that is meant: by its usual name, its recorded one, or the words of its section and label.
  ///
  /// - Returns: `nil` if there is none, or more than one.
  func row(named name: String) -> PayloadOverview.Row? {
    let known = KnownFigure.all.first { $0.usual == name }?.name ?? name
    if let row = rows.first(where: {
      $0.id.figure.name.lowercased() == known.lowercased() && $0.id.part == .whole
    }) {
      return row
    }
    if name == "hang rate" { return rows.first { $0.id.part == .pooledRate } }
    let words = Set(Self.words(name))
    let found = rows.filter { words.isSubset(of: Self.words("\($0.name) \($0.phrase)")) }
    return found.count == 1 ? found[0] : found.first { Set(Self.words($0.label)) == words }
  }

  /// True for the name of a figure of Apple's payloads, whichever of them these payloads have.
  static func isKnown(_ name: String) -> Bool {
    let words = Set(words(name))
    return name == "hang rate"
      || KnownFigure.all.contains {
        $0.usual == name || $0.name.lowercased() == name
          || Set(Self.words("\($0.section.title) \($0.label)")) == words
      }
  }

  /// Names like an unknown one, for a message.
  func nearest(to name: String) -> String {
    let words = Set(Self.words(name))
    let near = rows.filter { !words.isDisjoint(with: Self.words($0.name)) }.map(\.phrase)
    let all = rows.map(\.phrase)
    if let closest = Suggestion.closest(to: name, among: all + Self.usual) { return closest }
    return (near.isEmpty ? all : near).prefix(4).joined(separator: ", ")
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

  /// The number of samples or days: `n 5 210`.
  func count(_ value: OverviewValue) -> String {
    switch value.count {
    case .samples(let count): "n \(NumberFormat.grouped(count))"
    case .days(let count): "\(NumberFormat.grouped(count)) day\(count == 1 ? "" : "s")"
    }
  }

  /// True if there are fewer samples or days than a comparison needs: one day says little about a version.
  func hasTooFew(_ value: OverviewValue) -> Bool {
    switch value.count {
    case .samples(let count): count < Self.leastSamples
    case .days(let count): count < RateComparison.needed
    }
  }

  private static let leastSamples = 20

  /// A side's measure with its unit and its number of samples: `p95 1.93s (n 5,210)`.
  func text(_ measure: PayloadCondition.Measure, _ value: OverviewValue) -> String {
    let word = if case .percentile(let percentile) = measure { "p\(Int(percentile)) " } else { "" }
    return "\(word)\(figure(measure, value) ?? "too few") (\(count(value)))"
  }

  /// The displayed unit of a side's measure.
  func unit(of measure: PayloadCondition.Measure, _ value: OverviewValue) -> OverviewUnit {
    switch measure {
    case .mean: shown(value).unit
    case .percentile: unit
    }
  }

  /// The group that carries the change, and its own change in a measure: `only iPhone12,1 (1 of 5), +41%`.
  func carrierSentence(_ measure: PayloadCondition.Measure = .mean) -> String? {
    guard let carrier else { return nil }
    guard let mine = groupA.flatMap({ base(measure, $0) }), let other = groupB.flatMap({ base(measure, $0) }),
      other > 0, case let change = mine / other - 1, change.isFinite,
      (change > 0) == (carrier.carrier.change > 0)
    else { return carrier.words }
    return "\(carrier.words), \(NumberFormat.change(change))"
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
