public import Foundation
public import MisterMetrics

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
}

extension Payload {
  /// The entries that record the payload, one for each of its ``figures``.
  ///
  /// ```swift
  /// try await store.append(payload.entries(at: time, source: source))
  /// ```
  ///
  /// - Parameters:
  ///   - time: When they happened; see ``recordingTime(in:)``.
  ///   - source: Which payload it is.
  public func entries(at time: Date, source: RecordedSource) -> [MetricEntry] {
    let context = RecordedContext(self, at: time, source: source)
    return figures.map(context.entry)
  }

  /// The moment of its entries: the end of its time, or else the begin; nil if the payload tells neither.
  ///
  /// - Parameter timeZone: The zone of the device; a zone that was written goes before it.
  public func recordingTime(in timeZone: TimeZone) -> Date? {
    timeStampEnd?.date(in: timeZone) ?? timeStampBegin?.date(in: timeZone)
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
