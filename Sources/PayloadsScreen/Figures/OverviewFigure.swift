import DashboardCore
import History
import TelemetryCore

/// A recorded figure of payloads, and how the overview combines its device-days into one number.
struct OverviewFigure: Hashable, Sendable {
  /// The combination of device-days.
  enum Kind: Hashable, Sendable {
    /// Time histograms: counts are summed, and the average is that of all samples.
    case times
    /// Like ``times``, with the rate of hangs per hour of use in addition.
    case hangs
    /// A sum: an amount per device-day, and per hour of use.
    case sum
    /// A level: the mean of the device-days.
    case level
    /// A mean, weighted by its number of samples.
    case mean
    /// Hitch time, weighted by the time of use.
    case hitches
    /// Exits for one reason, among all exits of its section.
    case exits(ExitReason)
    /// Percentages of time by signal bars.
    case signal
  }

  /// Its index among the figures of the archive.
  let place: Int
  /// The recorded name: `cpuMetrics.cumulativeCPUTime`.
  let name: String
  let unit: OverviewUnit
  let section: OverviewSection
  let label: String
  let kind: Kind
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
    let entry = Self.entry(of: figure.name)
    (section, label) = (entry.section, entry.label)
    rank = entry.rank
    let isTimes = isHistogram && figure.unit == PayloadArchive.unitOfTimes
    switch (isHistogram, entry.kind) {
    case (true, .hangs): kind = isTimes ? .hangs : .signal
    case (true, _): kind = isTimes ? .times : .signal
    case (false, .times), (false, .hangs), (false, .signal): kind = .level
    case (false, let found): kind = found
    }
  }

  private struct Entry {
    var section: OverviewSection
    var label: String
    var kind: Kind
    var rank: Int
  }

  private static func entry(of name: String) -> Entry {
    if let known = known[name] { return known }
    if let signpost = SignpostName(name) {
      let kind: Kind =
        ["averageMemory", "cumulativeHitchTimeRatio"].contains(signpost.property) ? .level : .sum
      return Entry(section: .signposts, label: signpost.label, kind: kind, rank: 0)
    }
    return Entry(section: .other, label: name, kind: .level, rank: 0)
  }

  private static let known: [String: Entry] = {
    var known: [String: Entry] = [:]
    for (prefix, section, figures) in catalog {
      for (property, label, kind) in figures {
        known[prefix + "." + property] = Entry(section: section, label: label, kind: kind, rank: known.count)
      }
    }
    for (prefix, section) in exitSections {
      for reason in ExitReason.allCases {
        known["\(prefix).\(reason.counterName)"] = Entry(
          section: section, label: reason.label, kind: .exits(reason), rank: known.count)
      }
    }
    return known
  }()

  private static let exitSections: [(String, OverviewSection)] = [
    ("applicationExitMetrics.foregroundExitData", .foregroundExits),
    ("applicationExitMetrics.backgroundExitData", .backgroundExits),
  ]
}

extension ExitReason {
  /// A short label.
  var label: String {
    switch self {
    case .normal: "normal"
    case .memoryResourceLimit: "memory limit"
    case .badAccess: "bad access"
    case .abnormal: "abnormal"
    case .illegalInstruction: "illegal instruction"
    case .watchdog: "watchdog"
    case .cpuResourceLimit: "CPU limit"
    case .memoryPressure: "memory pressure"
    case .suspendedWithLockedFile: "locked file"
    case .backgroundTaskAssertionTimeout: "task timeout"
    case .backgroundURLSessionCompletionTimeout: "transfer timeout"
    case .backgroundFetchCompletionTimeout: "fetch timeout"
    }
  }
}
