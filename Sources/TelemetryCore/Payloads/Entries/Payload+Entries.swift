public import Essentials
public import MisterMetricsCore

/// The metrics under which payloads are recorded.
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

  /// The metric of the payloads themselves: one value for each payload.
  public static let document = Metric<PayloadDocument>(name: "payload", in: bucket)

  /// The metric of the diagnostics of a kind, by Apple's name of it: `crashDiagnostics`.
  public static func diagnostic(_ kind: String) -> Metric<PayloadDiagnostic> {
    Metric(name: kind + ".callStackTree", in: bucket)
  }
}

extension Payload {
  /// The entries that record the payload: one for each of its ``figures``, one for each of its diagnostics, and one with
  /// its source.
  ///
  /// ```swift
  /// try await store.append(payload.entries(at: time, source: source))
  /// ```
  ///
  /// - Parameters:
  ///   - time: The time of the entries; see ``recordingTime(in:)``.
  ///   - source: The identity of the payload.
  ///   - isLocalized: True if its quantities were written in the form of a region; see ``PayloadReading/Item/isLocalized``.
  public func entries(at time: Date, source: RecordedSource, isLocalized: Bool = false) -> [MetricEntry] {
    let context = RecordedContext(self, at: time, source: source)
    let document = MetricEntry(
      timestamp: time, metric: PayloadMetrics.document,
      value: PayloadDocument(self, isLocalized: isLocalized, source: source))
    var entries = figures.map(context.entry)
    if case .diagnostic(let payload) = self { entries += payload.entries(at: time, source: source) }
    return entries + [document]
  }

  /// The time of its entries: the end of its period, else the beginning; nil if the payload has neither.
  ///
  /// - Parameter timeZone: The zone of the device; a zone in the payload takes precedence.
  public func recordingTime(in timeZone: TimeZone) -> Date? {
    recordingTime(by: timeZone)
  }

  /// The same for clocks that are of no `TimeZone`.
  package func recordingTime(by clocks: some ClockOffsets) -> Date? {
    timeStampEnd?.date(by: clocks) ?? timeStampBegin?.date(by: clocks)
  }

  /// When its time began.
  public var timeStampBegin: PayloadTime? {
    switch self {
    case .metric(let payload): payload.timeStampBegin
    case .diagnostic(let payload): payload.timeStampBegin
    }
  }

  /// When its time ended.
  public var timeStampEnd: PayloadTime? {
    switch self {
    case .metric(let payload): payload.timeStampEnd
    case .diagnostic(let payload): payload.timeStampEnd
    }
  }
}
