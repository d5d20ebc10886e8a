import DashboardCore
import History
import TelemetryCore

/// A recorded figure of payloads, and how the overview combines its device-days into one number.
struct OverviewFigure: Hashable, Sendable {
  /// Its index among the figures of the archive.
  let place: Int
  /// The recorded name: `cpuMetrics.cumulativeCPUTime`.
  let name: String
  let unit: OverviewUnit
  let section: FigureSection
  let label: String
  /// The name within a sentence.
  let phrase: String
  let kind: KnownFigure.Fold
  /// Its rank within its section.
  let rank: Int
}

extension OverviewFigure {
  /// Suffix of the count recorded alongside a mean.
  static let countSuffix = ".sampleCount"
  static let deviationSuffix = ".standardDeviation"

  /// - Parameters:
  ///   - place: The index of the figure in the archive.
  ///   - isHistogram: True if its values are bins.
  ///   - names: The names of all figures.
  /// - Returns: `nil` for a figure that is part of another one.
  init?(_ figure: PayloadArchive.Figure, at place: Int, isHistogram: Bool, among names: Set<String>) {
    if [Self.countSuffix, Self.deviationSuffix].contains(where: { suffix in
      figure.name.hasSuffix(suffix) && names.contains(String(figure.name.dropLast(suffix.count)))
    }) {
      return nil
    }
    // The diagnostics themselves show how often each kind occurred.
    if figure.name.hasSuffix("Diagnostics"), !figure.name.contains(".") { return nil }
    self.place = place
    name = figure.name
    unit = OverviewUnit(figure.unit, of: figure.name)
    let (known, rank) =
      KnownFigure.named(figure.name) ?? (KnownFigure(unlisted: figure.name), KnownFigure.all.count)
    (section, label, phrase) = (known.section, known.label, known.phrase)
    self.rank = rank
    let isTimes = isHistogram && figure.unit == PayloadArchive.unitOfTimes
    switch (isHistogram, known.fold) {
    case (true, .hangs): kind = isTimes ? .hangs : .signal
    case (true, _): kind = isTimes ? .times : .signal
    case (false, .times), (false, .hangs), (false, .signal): kind = .level
    case (false, let found): kind = found
    }
  }
}

extension KnownFigure {
  /// A figure that is not in the table: one of a signpost, or of a later system.
  fileprivate init(unlisted name: String) {
    guard let signpost = SignpostName(name) else {
      self.init(unlisted: name, .other, name, .level)
      return
    }
    let isLevel = ["averageMemory", "cumulativeHitchTimeRatio"].contains(signpost.property)
    self.init(unlisted: name, .signposts, signpost.label, isLevel ? .level : .sum)
  }
}
