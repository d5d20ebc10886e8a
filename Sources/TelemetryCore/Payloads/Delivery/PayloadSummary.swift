import Aggregation
public import Essentials
import MisterMetricsCore

/// The log entry of one payload: the structured context of ``MetricsSubscriber``.
///
/// All texts are safe for a terminal and a line: control characters and the like are replaced, long texts cut.
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
    /// How many intervals and events.
    public let count: Int
  }

  /// The text in place of one that a payload does not have.
  static let unknown = "unknown"

  /// The kind of payload.
  public let kind: Kind
  /// How long the time of the payload is, in hours with two decimals; `nil` where the payload does not say.
  ///
  /// It is 0 for a payload of one moment, as diagnostics mostly are.
  public let hours: Double?
  /// The version of the app or `unknown`; all versions, with commas, where the diagnostics of a payload differ in it.
  public let applicationVersion: String
  /// The signpost metrics in the order of the payload; diagnostics have none.
  public private(set) var signposts: [Signpost]
  /// True if there is a launch: a sample in a histogram of launches, or the diagnostic of one.
  public let hasLaunchData: Bool
  /// True if there is a hang: a sample in the histogram of hangs, or the diagnostic of one.
  public let hasHangData: Bool
  /// How many crashes; `nil` where the payload does not say.
  ///
  /// Of a metric payload these are the exits, in the foreground or not, for a bad access, an illegal instruction or an
  /// abort; exits that the system forced for time or memory are not counted.
  public let crashCount: Int?
  /// True if a simulation made the payload.
  public let isSimulated: Bool

  /// The summary of a metric payload.
  ///
  /// - Parameters:
  ///   - payload: The payload.
  ///   - timeZone: The zone of the device, for payloads that write local times without a zone.
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
  ///   - timeZone: The zone of the device, for payloads that write local times without a zone.
  public init(_ payload: DiagnosticPayload, in timeZone: TimeZone) {
    kind = .diagnostic
    hours = Self.hours(payload.interval(in: timeZone))
    func versions<Details>(_ diagnostics: [Diagnostic<Details>]?) -> [String?] {
      (diagnostics ?? []).map(\.applicationVersion)
    }
    applicationVersion = Self.version(
      versions(payload.crashDiagnostics) + versions(payload.hangDiagnostics)
        + versions(payload.cpuExceptionDiagnostics) + versions(payload.diskWriteExceptionDiagnostics)
        + versions(payload.appLaunchDiagnostics) + versions(payload.unclassifiedDiagnostics))
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
  /// All of it as JSON on one line, by the names of the properties in their alphabetic order; what is `nil` is left out.
  public var description: String {
    // Cannot fail: what is not valid JSON (a number that is none) was kept out.
    String(decoding: (try? ValueEncoder.encode(self)) ?? Data(), as: UTF8.self)
  }

  /// The same for logs that cut long lines: each line is a summary with some of the signposts.
  ///
  /// - Parameter limit: How many bytes of UTF-8 a line may have; one signpost is never split.
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
