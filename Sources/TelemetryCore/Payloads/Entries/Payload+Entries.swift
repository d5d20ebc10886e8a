public import Essentials
public import MisterMetricsCore

/// Metrics that record payloads.
///
/// ```swift
/// let launches = PayloadMetrics.histogram("applicationLaunchMetrics.histogrammedTimeToFirstDraw")
/// let days = try await store.retrieveAll(for: launches)
/// ```
public enum PayloadMetrics {
  /// The bucket of all of them.
  public static let bucket = Bucket("payload")

  /// The metric of a histogram, by the name of its ``PayloadFigure``.
  public static func histogram(_ name: String) -> Metric<PayloadHistogram> {
    Metric(name: name, in: bucket)
  }

  /// The metric of a number, by the name of its ``PayloadFigure``.
  public static func scalar(_ name: String) -> Metric<PayloadScalar> {
    Metric(name: name, in: bucket)
  }

  /// The metric of the payloads themselves, one value each.
  public static let document = Metric<PayloadDocument>(name: "payload", in: bucket)

  /// The name of the metric that keeps each payload as it was read; see ``PayloadOriginal``.
  package static let original = "payload.json"

  /// The metric of the diagnostics of a kind, by Apple's name: `crashDiagnostics`.
  public static func diagnostic(_ kind: String) -> Metric<PayloadDiagnostic> {
    Metric(name: kind + diagnosticEnding, in: bucket)
  }

  fileprivate static let diagnosticEnding = ".callStackTree"
}

extension MetricEntry {
  /// The entry with the functions of its call stacks; as it is if it is no diagnostic, or if none is known.
  package func symbolicated(by symbols: some CallStackSymbols) -> MetricEntry {
    guard metric.bucket == PayloadMetrics.bucket,
      let value = PayloadDiagnostic.symbolicated(Array(value), of: metric.name, by: symbols)
    else { return self }
    return MetricEntry(timestamp: timestamp, metric: metric, value: value)
  }
}

extension PayloadDiagnostic {
  /// The recorded value with the functions of its call stacks; `nil` if it is no diagnostic, or if none is known.
  ///
  /// - Parameter metric: The name of its metric in the bucket of payloads.
  package static func symbolicated(
    _ json: [UInt8], of metric: String, by symbols: some CallStackSymbols
  ) -> Data? {
    guard metric.hasSuffix(PayloadMetrics.diagnosticEnding), var diagnostic = PayloadDiagnostic(json: json)
    else { return nil }
    let stacks = symbols.symbolicated(diagnostic.callStacks, of: metric)
    guard stacks != diagnostic.callStacks else { return nil }
    diagnostic.callStacks = stacks.limitingSymbols()
    return try? ValueEncoder.encode(diagnostic)
  }
}

extension Payload {
  /// The entries that record the payload: its document, then one per figure in ``figures`` and one per diagnostic.
  ///
  /// ```swift
  /// try await store.append(payload.entries(at: time, source: source))
  /// ```
  ///
  /// - Parameters:
  ///   - time: The time of the entries; see ``recordingTime(in:)``.
  ///   - source: The identity of the payload.
  ///   - isLocalized: True if its quantities were in a regional format; see ``PayloadReading/Item/isLocalized``.
  public func entries(at time: Date, source: RecordedSource, isLocalized: Bool = false) -> [MetricEntry] {
    entries(at: time, source: source, isLocalized: isLocalized, user: nil)
  }

  private func entries(
    at time: Date, source: RecordedSource, isLocalized: Bool, user: String?
  ) -> [MetricEntry] {
    let document = PayloadDocument(self, isLocalized: isLocalized, user: user, source: source)
    let context = RecordedContext(document, at: time, source: source)
    var entries = [MetricEntry(timestamp: time, metric: PayloadMetrics.document, value: document)]
    entries += figures.lazy.map(context.entry)
    if case .diagnostic(let payload) = self { entries += payload.entries(at: time, source: source) }
    return entries
  }

  /// The same, and one with the JSON that it was read from.
  package func entries(
    at time: Date, source: RecordedSource, isLocalized: Bool, origin: PayloadOrigin
  ) -> [MetricEntry] {
    let original = PayloadOriginal(origin, source: source)
    return entries(at: time, source: source, isLocalized: isLocalized, user: origin.user)
      + original.entries(at: time)
  }

  /// The time of its entries: the end of its period, or else the start; `nil` if the payload has neither.
  ///
  /// - Parameter timeZone: The device's time zone; a zone in the payload takes precedence.
  public func recordingTime(in timeZone: TimeZone) -> Date? {
    recordingTime(by: timeZone)
  }

  /// The same for clocks without a `TimeZone`.
  package func recordingTime(by clocks: some ClockOffsets) -> Date? {
    timeStampEnd?.date(by: clocks) ?? timeStampBegin?.date(by: clocks)
  }

  /// Start of its period.
  public var timeStampBegin: PayloadTime? {
    switch self {
    case .metric(let payload): payload.timeStampBegin
    case .diagnostic(let payload): payload.timeStampBegin
    }
  }

  /// End of its period.
  public var timeStampEnd: PayloadTime? {
    switch self {
    case .metric(let payload): payload.timeStampEnd
    case .diagnostic(let payload): payload.timeStampEnd
    }
  }
}
