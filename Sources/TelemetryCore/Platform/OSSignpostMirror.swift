// Not compiled on Linux. OSSignposter exists since iOS 15 and macOS 12.
#if canImport(os)
  public import os

  /// Also shows what a ``Signposter`` records in Instruments, or passes it to MetricKit.
  ///
  /// ```swift
  /// let mirror = OSSignpostMirror(OSSignposter(subsystem: "com.example.app", category: "Images"))
  /// let signposter = Signposter(category: "Images") { record in mirror.show(record) }
  /// ```
  ///
  /// For MetricKit the signposter is `OSSignposter(logHandle: MXMetricManager.makeLogHandle(category: "Images"))`.
  ///
  /// A record is created when its interval ends. Therefore an interval appears as an event at its end, with the
  /// duration in the message, and MetricKit counts it but has no histogram of it; use `OSSignposter` directly where
  /// one is needed. Messages are marked private, as the system does with dynamic text.
  public struct OSSignpostMirror: Sendable {
    private let signposter: OSSignposter

    /// A mirror to one of the system's signposters.
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
