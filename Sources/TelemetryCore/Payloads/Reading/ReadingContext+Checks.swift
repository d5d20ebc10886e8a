import Aggregation
import Essentials

extension ReadingContext {
  /// Notes oddities in a payload.
  mutating func check(_ payload: Payload) {
    switch payload {
    case .metric(let payload): check(payload)
    case .diagnostic(let payload): check(payload)
    }
  }

  private mutating func check(_ payload: MetricPayload) {
    noteRegion()
    if payload.isSimulated { note("simulated by Xcode: stays out of averages") }
    if payload.isPointWindow { note("begins and ends at the same moment") }
    if payload.metaData?.hasExceededStateLimit == true {
      note("the app reported more states than the system keeps", at: "hasExceededStateLimit")
    }
    if payload.includesMultipleApplicationVersions { note("figures of several versions of the app") }
    checkOrder(payload.timeStampBegin, payload.timeStampEnd)
    checkUse(payload)
    check(payload.signpostMetrics ?? [], system: payload.metaData?.system?.name)
    guard let cellular = payload.cellularConditionMetrics?.histogrammedCellularConditionTime else { return }
    let percents = cellular.bins.reduce(0) { $0.addingSaturated($1.percent) }
    if !cellular.bins.isEmpty, !(95...105).contains(percents) {
      note("percents of time that sum to \(percents)", at: "cellularConditionMetrics")
    }
  }

  /// Notes more use than the payload's period has; a clock that was set may explain an hour.
  private mutating func checkUse(_ payload: MetricPayload) {
    guard let use = payload.applicationTimeMetrics?.cumulativeForegroundTimeQuantity?.value(in: .seconds),
      let period = payload.interval(in: .gmt)?.duration, period > 0, use > period + 3_600
    else { return }
    at(["applicationTimeMetrics", "cumulativeForegroundTime"]) { $0.note("longer than the payload's period") }
  }

  private mutating func check(_ payload: DiagnosticPayload) {
    noteRegion()
    if payload.isSimulated { note("simulated by Xcode: stays out of averages") }
    checkOrder(payload.timeStampBegin, payload.timeStampEnd)
  }

  private mutating func noteRegion() {
    isLocalized = regionalText != nil
    if let text = regionalText { note("quantities in the form of a region: “\(text.prefix(40))”") }
    regionalText = nil
  }

  private mutating func check(_ metrics: [MetricPayload.SignpostMetric], system: String?) {
    for (index, metric) in metrics.enumerated() {
      at("signpostMetrics") { context in context.at(String(index)) { $0.check(metric) } }
    }
    let total = metrics.reduce(0) { $0.addingSaturated(max(0, $1.totalCount)) }
    // Without MetricKit, a recorder's count has no limit.
    if system != "Linux", total >= 1_000 {
      note(
        "may be cut: the system counts no more than a thousand signposts of an app", at: "signpostMetrics")
    }
  }

  private mutating func check(_ metric: MetricPayload.SignpostMetric) {
    guard let durations = metric.signpostIntervalData?.histogrammedSignpostDuration else { return }
    if durations.count != metric.totalCount {
      note("counts \(metric.totalCount), but its bins hold \(durations.count)", at: "totalSignpostCount")
    }
  }

  private mutating func checkOrder(_ begin: PayloadTime?, _ end: PayloadTime?) {
    guard let begin, let end, begin.isZoneUnknown == end.isZoneUnknown,
      let first = begin.date(in: .gmt), let last = end.date(in: .gmt)
    else { return }
    if last < first { note("ends before it begins") }
  }
}
