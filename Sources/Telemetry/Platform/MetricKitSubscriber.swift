// Not compiled on Linux. MetricKit is available from iOS 13 and macOS 12, diagnostics from iOS 14, and metric payloads
// on macOS from 26, thus with the SDK that comes with Swift 6.2.
#if canImport(MetricKit) && (os(iOS) || os(macOS) || os(visionOS))
  public import Foundation
  public import MetricKit
  public import TelemetryCore

  /// Forwards MetricKit's payloads to a ``PayloadSubscriber``.
  ///
  /// ```swift
  /// let metricKit = MetricKitSubscriber(MetricsSubscriber())
  /// MXMetricManager.shared.add(metricKit)
  /// ```
  ///
  /// MetricKit is reported to hold its subscribers weakly: retain this one for as long as payloads are needed.
  public final class MetricKitSubscriber: NSObject, MXMetricManagerSubscriber, Sendable {
    private let subscriber: any PayloadSubscriber

    /// Creates a subscriber of MetricKit.
    ///
    /// - Parameter subscriber: Receives the payloads on the thread of MetricKit's call; held strongly.
    public init(_ subscriber: any PayloadSubscriber) {
      self.subscriber = subscriber
    }

    #if !os(macOS) || compiler(>=6.2)
      /// Forwards daily metrics.
      @available(macOS 26, *)
      public func didReceive(_ payloads: [MXMetricPayload]) {
        subscriber.receive(json: payloads.map { $0.jsonRepresentation() })
      }
    #endif

    /// Forwards diagnostics.
    public func didReceive(_ payloads: [MXDiagnosticPayload]) {
      subscriber.receive(json: payloads.map { $0.jsonRepresentation() })
    }
  }
#endif
