/// The metric payloads of exactly one version of an app, and their figures: each payload is a device-day.
///
/// ```swift
/// let version = VersionPayloads(payloads, applicationVersion: "2.4")
/// version.hangRates()?.median.value  // seconds per foreground hour
/// version.figures(of: \.cpuMetrics?.cumulativeCPUTime, in: .seconds)?.perForegroundHour
/// ```
public struct VersionPayloads: Sendable {
  /// The payloads that count.
  public let payloads: [MetricPayload]
  /// How many name the version and were left out because they tell of others too.
  public let mixed: Int
  /// How many were left out because a simulation made them.
  public let simulated: Int

  /// The payloads of a version among others.
  ///
  /// - Parameters:
  ///   - payloads: Payloads of any version.
  ///   - applicationVersion: The version; `nil` for payloads that name none.
  ///   - includingSimulated: Whether payloads that a simulation made count too.
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

  /// A histogram of each payload that has it, as ``VersionComparison/init(days:with:seed:)`` takes them.
  public func histograms<Metric: HistogrammedTimeMetric>(
    of metric: KeyPath<MetricPayload, Metric?>
  ) -> [TimeHistogram] {
    payloads.compactMap { $0[keyPath: metric]?.presentHistogram }
  }

  /// The counts of all payloads together.
  public func histogram<Metric: HistogrammedTimeMetric>(
    of metric: KeyPath<MetricPayload, Metric?>
  ) -> TimeHistogram {
    .merging(histograms(of: metric))
  }

  /// How long the app hung in an hour of use; `nil` where no payload has hangs and time in the foreground.
  ///
  /// A payload that says how long the app was used and nothing of hangs is a day without any: systems leave out what is
  /// zero.
  ///
  /// - Parameter shortest: What is shorter does not count, in milliseconds; see ``HangRate/shortestHang``.
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

  /// Why the app ended in view, if any payload tells; one that tells nothing of exits and how long the app was used is a
  /// day without any.
  public var foregroundExits: ExitFigures<ExitReason> {
    exits { data in ForegroundExit.allCases.map { ($0.reason, data.foregroundExitData?[$0] ?? 0) } }
  }

  /// Why the app ended in the background; days without a word of exits count as in ``foregroundExits``.
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
      // Exits of days without such a time would be divided by the time of others.
      foreground: times.count == days.count ? times.reduce(0, +) : nil)
  }

  /// The mean hitch time of scrolling in milliseconds per second, each device-day weighted by its foreground time.
  ///
  /// Payloads do not say for how long there was motion, so this is a guess; where no time is known every day counts
  /// alike. A day that was used and has no section of animations is one without hitches: systems leave out what is zero.
  public var scrollHitchRatio: Double? {
    hitchRatio { $0.scrollHitchTimeRatioQuantity }
  }

  /// The same of all motion, which systems since 26 write.
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

  /// For what share of the time the cellular network had how many bars, each device-day alike; empty for none.
  public var cellularConditions: [CellularHistogram.Share] {
    CellularHistogram.shares(
      of: payloads.compactMap { $0.cellularConditionMetrics?.histogrammedCellularConditionTime })
  }
}

extension MetricPayload {
  /// The time in the foreground in seconds, `nil` where it is not known, none, or no number.
  package var foregroundSeconds: Double? {
    guard let time = applicationTimeMetrics?.cumulativeForegroundTimeQuantity else { return nil }
    let seconds = time.value(in: .seconds)
    return seconds > 0 && seconds.isFinite ? seconds : nil
  }
}
