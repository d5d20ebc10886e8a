// Not compiled on Linux. OSSignposter is there since iOS 15 and macOS 12.
#if canImport(os)
  public import os

  /// Shows what a ``Signposter`` records to Instruments, or to MetricKit, too.
  ///
  /// ```swift
  /// let mirror = OSSignpostMirror(OSSignposter(subsystem: "com.example.app", category: "Images"))
  /// let signposter = Signposter(category: "Images") { record in mirror.show(record) }
  /// ```
  ///
  /// For MetricKit the signposter is `OSSignposter(logHandle: MXMetricManager.makeLogHandle(category: "Images"))`.
  ///
  /// A record is made when its interval has ended. So an interval is shown as an event at its end, with the duration in
  /// the message, and MetricKit counts it but has no histogram of it; measure what needs one with `OSSignposter` itself.
  /// Messages stay private, as the system keeps texts that are not known beforehand.
  public struct OSSignpostMirror: Sendable {
    private let signposter: OSSignposter

    /// A mirror into a signposter of the system.
    public init(_ signposter: OSSignposter) {
      self.signposter = signposter
    }

    /// Shows a record.
    public func show(_ record: SignpostRecord) {
      switch record.value {
      case .interval(let interval):
        signposter.emitEvent(
          record.name, id: signposter.makeSignpostID(),
          "\(interval.durationMs, privacy: .public) ms \(interval.message ?? "", privacy: .private)")
      case .event(let event):
        signposter.emitEvent(
          record.name, id: signposter.makeSignpostID(),
          "x\(event.count, privacy: .public) \(event.message ?? "", privacy: .private)")
      }
    }
  }
#endif
