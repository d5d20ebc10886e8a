// Not compiled on Linux. MetricKit is there since iOS 13 and macOS 12, diagnostics since iOS 14, and metric payloads on
// macOS since 26, so with the SDK that Swift 6.2 comes with.
#if canImport(MetricKit) && (os(iOS) || os(macOS) || os(visionOS))
  public import Foundation
  public import MetricKit
  public import TelemetryCore

  /// Hands what MetricKit delivers to a ``PayloadSubscriber``.
  ///
  /// ```swift
  /// let metricKit = MetricKitSubscriber(MetricsSubscriber())
  /// MXMetricManager.shared.add(metricKit)
  /// ```
  ///
  /// MetricKit is reported to hold its subscribers weakly: keep this one for as long as payloads are wanted.
  public final class MetricKitSubscriber: NSObject, MXMetricManagerSubscriber, Sendable {
    private let subscriber: any PayloadSubscriber

    /// A subscriber of MetricKit.
    ///
    /// - Parameter subscriber: Takes the payloads, on the thread of MetricKit's call; held strongly.
    public init(_ subscriber: any PayloadSubscriber) {
      self.subscriber = subscriber
    }

    #if !os(macOS) || compiler(>=6.2)
      /// Hands over the metrics of days.
      @available(macOS 26, *)
      public func didReceive(_ payloads: [MXMetricPayload]) {
        subscriber.receive(json: payloads.map { $0.jsonRepresentation() })
      }
    #endif

    /// Hands over diagnostics.
    public func didReceive(_ payloads: [MXDiagnosticPayload]) {
      subscriber.receive(json: payloads.map { $0.jsonRepresentation() })
    }
  }
#endif
