/// The metric payloads of exactly one version of an app, and their figures; each payload is a device-day.
///
/// ```swift
/// let version = VersionPayloads(payloads, applicationVersion: "2.4")
/// version.hangRates()?.median.value  // seconds per foreground hour
/// version.figures(of: \.cpuMetrics?.cumulativeCPUTime, in: .seconds)?.perForegroundHour
/// ```
public struct VersionPayloads: Sendable {
  /// The payloads that are included.
  public let payloads: [MetricPayload]
  /// Number of payloads of the version that were left out because they cover other versions too.
  public let mixed: Int
  /// Number of simulated payloads that were left out.
  public let simulated: Int

  /// Selects the payloads of a version.
  ///
  /// - Parameters:
  ///   - payloads: Payloads of any version.
  ///   - applicationVersion: The version; `nil` for payloads that name none.
  ///   - includingSimulated: True to include simulated payloads.
  public init(
    _ payloads: some Sequence<MetricPayload>, applicationVersion: String?, includingSimulated: Bool = false
  ) {
    var (kept, mixed, simulated): ([MetricPayload], Int, Int) = ([], 0, 0)
    for payload in payloads where payload.latestApplicationVersion == applicationVersion {
      if payload.includesMultipleApplicationVersions {
        mixed += 1
      } else if !includingSimulated, payload.isSimulated {
        simulated += 1
      } else {
        kept.append(payload)
      }
    }
    (self.payloads, self.mixed, self.simulated) = (kept, mixed, simulated)
  }

  /// The histogram of each payload that has it, in the form that ``VersionComparison/init(days:with:seed:)`` takes.
  public func histograms<Metric: HistogrammedTimeMetric>(
    of metric: KeyPath<MetricPayload, Metric?>
  ) -> [TimeHistogram] {
    payloads.compactMap { $0[keyPath: metric]?.presentHistogram }
  }

  /// The summed counts of all payloads.
  public func histogram<Metric: HistogrammedTimeMetric>(
    of metric: KeyPath<MetricPayload, Metric?>
  ) -> TimeHistogram {
    .merging(histograms(of: metric))
  }

  /// Hang time per hour of use; `nil` if no payload has both hangs and foreground time.
  ///
  /// A payload with foreground time but without hangs is a day without any, because systems leave out zeros.
  ///
  /// - Parameter shortest: Minimum duration of a hang that counts, in milliseconds; see ``HangRate/shortestHang``.
  public func hangRates(countingFrom shortest: Double? = nil) -> HangRates? {
    let hangs = payloads.map { $0.applicationResponsivenessMetrics?.presentHistogram }
    guard hangs.contains(where: { $0 != nil }) else { return nil }
    return HangRates(
      zip(payloads, hangs).compactMap { payload, hangs in
        let foreground = payload.foregroundSeconds
        guard hangs != nil || foreground != nil else { return nil }
        return HangRates.Day(hangs: hangs ?? TimeHistogram(), foreground: foreground)
      }, countingFrom: shortest)
  }

  /// Reasons of exits in the foreground.
  ///
  /// A payload with foreground time but without exit counts is a day without exits.
  public var foregroundExits: ExitFigures<ExitReason> {
    exits { data in ForegroundExit.allCases.map { ($0.reason, data.foregroundExitData?[$0] ?? 0) } }
  }

  /// Reasons of exits in the background; days without exit counts are treated as in ``foregroundExits``.
  public var backgroundExits: ExitFigures<ExitReason> {
    exits { data in ExitReason.allCases.map { ($0, data.backgroundExitData?[$0] ?? 0) } }
  }

  private func exits(
    _ counts: (MetricPayload.ApplicationExitMetric) -> [(reason: ExitReason, count: Int)]
  ) -> ExitFigures<ExitReason> {
    let days = payloads.filter { $0.applicationExitMetrics != nil || $0.foregroundSeconds != nil }
    let times = days.compactMap(\.foregroundSeconds)
    return ExitFigures(
      days.flatMap { $0.applicationExitMetrics.map(counts) ?? [] },
      // Otherwise the exits of days without a foreground time would be divided by the time of the others.
      foreground: times.count == days.count ? times.reduce(0, +) : nil)
  }

  /// The mean hitch time of scrolling in milliseconds per second, with each device-day weighted by its foreground time.
  ///
  /// Payloads do not say how long there was motion, so this is an estimate; if a foreground time is unknown, all days
  /// count equally. A day with use but without an animation section has no hitches, because systems leave out zeros.
  public var scrollHitchRatio: Double? {
    hitchRatio { $0.scrollHitchTimeRatioQuantity }
  }

  /// The same for all motion; systems since version 26 report it.
  public var hitchRatio: Double? {
    hitchRatio { $0.hitchTimeRatioQuantity }
  }

  private func hitchRatio(_ ratio: (MetricPayload.AnimationMetric) -> Quantity<SymbolUnit>?) -> Double? {
    HitchRatio.mean(
      of: payloads.map { payload in
        HitchRatio.Day(
          ratio: payload.animationMetrics.flatMap(ratio)?.value,
          hasAnimations: payload.animationMetrics != nil, foreground: payload.foregroundSeconds)
      })
  }

  /// Share of time per number of cellular signal bars, with all device-days weighted equally; empty if there is no data.
  public var cellularConditions: [CellularHistogram.Share] {
    CellularHistogram.shares(
      of: payloads.compactMap { $0.cellularConditionMetrics?.histogrammedCellularConditionTime })
  }
}

extension MetricPayload {
  /// Foreground time in seconds; `nil` if it is unknown, zero, or not finite.
  package var foregroundSeconds: Double? {
    guard let time = applicationTimeMetrics?.cumulativeForegroundTimeQuantity else { return nil }
    let seconds = time.value(in: .seconds)
    return seconds > 0 && seconds.isFinite ? seconds : nil
  }
}
