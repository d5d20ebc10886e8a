import Aggregation
public import Essentials
import MisterMetricsCore

/// The log entry of one payload: the structured context of ``MetricsSubscriber``.
///
/// All texts are safe for a terminal and a line: control characters and the like are replaced, long texts truncated.
public struct PayloadSummary: Codable, Hashable, Sendable {
  /// The kind of payload.
  public enum Kind: String, Codable, Hashable, Sendable {
    case metric
    case diagnostic
  }

  /// One signpost metric.
  public struct Signpost: Codable, Hashable, Sendable {
    /// The name.
    public let name: String
    /// The category.
    public let category: String
    /// Number of intervals and events.
    public let count: Int
  }

  /// Placeholder for a text that a payload does not have.
  static let unknown = "unknown"

  /// The kind of payload.
  public let kind: Kind
  /// Length of the payload's period, in hours with two decimals; `nil` if the payload does not say.
  ///
  /// It is 0 for a payload of a single moment, as most diagnostics are.
  public let hours: Double?
  /// The app version or `unknown`; if the diagnostics of a payload differ, all versions separated by commas.
  public let applicationVersion: String
  /// The signpost metrics in the order of the payload; diagnostics have none.
  public private(set) var signposts: [Signpost]
  /// True if there is launch data: a sample in a launch histogram, or a launch diagnostic.
  public let hasLaunchData: Bool
  /// True if there is hang data: a sample in the hang histogram, or a hang diagnostic.
  public let hasHangData: Bool
  /// Number of crashes; `nil` if the payload does not say.
  ///
  /// For a metric payload, the foreground and background exits for a bad access, an illegal instruction or an abort;
  /// exits forced by the system for time or memory are not counted.
  public let crashCount: Int?
  /// True if the payload was simulated.
  public let isSimulated: Bool

  /// The summary of a metric payload.
  ///
  /// - Parameters:
  ///   - payload: The payload.
  ///   - timeZone: The device's time zone, for payloads whose local times have no zone.
  public init(_ payload: MetricPayload, in timeZone: TimeZone) {
    kind = .metric
    hours = Self.hours(payload.interval(in: timeZone))
    applicationVersion = Self.version([payload.latestApplicationVersion])
    signposts = (payload.signpostMetrics ?? []).map { metric in
      Signpost(
        name: LogText.clean(metric.signpostName ?? Self.unknown),
        category: LogText.clean(metric.signpostCategory ?? Self.unknown), count: metric.totalCount)
    }
    let launch = payload.applicationLaunchMetrics
    let launches = [
      launch?.histogrammedTimeToFirstDraw, launch?.histogrammedApplicationResumeTime,
      launch?.histogrammedOptimizedTimeToFirstDraw, launch?.histogrammedExtendedLaunch,
    ]
    hasLaunchData = launches.contains { $0.map { !$0.isEmpty } ?? false }
    let hangs = payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime
    hasHangData = hangs.map { !$0.isEmpty } ?? false
    crashCount = payload.applicationExitMetrics.map(Self.crashes)
    isSimulated = payload.isSimulated
  }

  /// The summary of a diagnostic payload.
  ///
  /// - Parameters:
  ///   - payload: The payload.
  ///   - timeZone: The device's time zone, for payloads whose local times have no zone.
  public init(_ payload: DiagnosticPayload, in timeZone: TimeZone) {
    kind = .diagnostic
    hours = Self.hours(payload.interval(in: timeZone))
    applicationVersion = Self.version(payload.all.map(\.applicationVersion))
    signposts = []
    hasLaunchData = payload.appLaunchDiagnostics?.isEmpty == false
    hasHangData = payload.hangDiagnostics?.isEmpty == false
    crashCount = payload.crashDiagnostics?.count ?? 0
    isSimulated = payload.isSimulated
  }

  private static func hours(_ interval: DateInterval?) -> Double? {
    guard let interval else { return nil }
    let hours = (interval.duration / 36).rounded() / 100
    return hours.isFinite ? hours : nil
  }

  private static func version(_ versions: [String?]) -> String {
    let known = Set(versions.compactMap { $0 }).subtracting([""]).sorted()
    return known.isEmpty ? unknown : LogText.clean(known.joined(separator: ", "))
  }

  private static func crashes(_ exits: MetricPayload.ApplicationExitMetric) -> Int {
    let (seen, unseen) = (exits.foregroundExitData, exits.backgroundExitData)
    let counts = [
      seen?.cumulativeBadAccessExitCount, seen?.cumulativeAbnormalExitCount,
      seen?.cumulativeIllegalInstructionExitCount, unseen?.cumulativeBadAccessExitCount,
      unseen?.cumulativeAbnormalExitCount, unseen?.cumulativeIllegalInstructionExitCount,
    ]
    return counts.reduce(0) { $0.addingSaturated(max(0, $1 ?? 0)) }
  }
}

extension PayloadSummary: CustomStringConvertible {
  /// The whole summary as JSON on one line, with sorted property names; `nil` properties are left out.
  public var description: String {
    // Cannot fail: values that JSON cannot express, such as NaN, were kept out.
    String(decoding: (try? ValueEncoder.encode(self)) ?? Data(), as: UTF8.self)
  }

  /// The same for logs that truncate long lines: each line is a summary with some of the signposts.
  ///
  /// - Parameter limit: Maximum bytes of UTF-8 in a line; a single signpost is never split.
  public func lines(limit: Int = 1000) -> [String] {
    let whole = description
    guard whole.utf8.count > limit, signposts.count > 1 else { return [whole] }
    let half = signposts.count / 2
    var (first, second) = (self, self)
    first.signposts = Array(signposts[..<half])
    second.signposts = Array(signposts[half...])
    return first.lines(limit: limit) + second.lines(limit: limit)
  }
}
