package import Codecs

/// Diagnostics of one app on one device, in the shape of `MXDiagnosticPayload`.
///
/// ```swift
/// for crash in payload.crashDiagnostics ?? [] where crash.signal == 11 {
///   crash.callStackTree?.callStacks.first { $0.threadAttributed == true }
/// }
/// ```
public struct DiagnosticPayload: PayloadSection {
  /// Start of the period.
  public var timeStampBegin: PayloadTime?
  /// End of the period; usually equal to its start.
  public var timeStampEnd: PayloadTime?
  /// Crashes.
  public var crashDiagnostics: [CrashDiagnostic]?
  /// Hangs.
  public var hangDiagnostics: [HangDiagnostic]?
  /// Excessive processor use.
  public var cpuExceptionDiagnostics: [CPUExceptionDiagnostic]?
  /// Excessive disk writes.
  public var diskWriteExceptionDiagnostics: [DiskWriteExceptionDiagnostic]?
  /// Slow launches.
  public var appLaunchDiagnostics: [AppLaunchDiagnostic]?
  /// Diagnostics passed on alone without their kind; Apple never writes these.
  public var unclassifiedDiagnostics: [UnclassifiedDiagnostic]?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("timeStampBegin", \.timeStampBegin, .time),
    SectionField("timeStampEnd", \.timeStampEnd, .time),
    SectionField("crashDiagnostics", \.crashDiagnostics, .list(.diagnostic())),
    SectionField("hangDiagnostics", \.hangDiagnostics, .list(.diagnostic())),
    SectionField("cpuExceptionDiagnostics", \.cpuExceptionDiagnostics, .list(.diagnostic())),
    SectionField(
      "diskWriteExceptionDiagnostics", \.diskWriteExceptionDiagnostics, .list(.diagnostic())),
    SectionField("appLaunchDiagnostics", \.appLaunchDiagnostics, .list(.diagnostic())),
    SectionField("unclassifiedDiagnostics", \.unclassifiedDiagnostics, .list(.diagnostic())),
  ]

  /// A payload without diagnostics.
  public init() {}
}

extension DiagnosticPayload {
  /// All call stacks of all diagnostics.
  public var callStackTrees: [CallStackTree] {
    func trees<Details>(_ diagnostics: [Diagnostic<Details>]?) -> [CallStackTree] {
      (diagnostics ?? []).compactMap(\.callStackTree)
    }
    return trees(crashDiagnostics) + trees(hangDiagnostics) + trees(cpuExceptionDiagnostics)
      + trees(diskWriteExceptionDiagnostics) + trees(appLaunchDiagnostics) + trees(unclassifiedDiagnostics)
  }

  /// True if there are no diagnostics.
  public var isEmpty: Bool {
    [
      crashDiagnostics?.count, hangDiagnostics?.count, cpuExceptionDiagnostics?.count,
      diskWriteExceptionDiagnostics?.count, appLaunchDiagnostics?.count, unclassifiedDiagnostics?.count,
    ].allSatisfy { ($0 ?? 0) == 0 }
  }

  /// True if Xcode simulated it: its frames have a fixed name and address.
  public var isSimulated: Bool {
    callStackTrees.contains { tree in
      tree.callStacks.contains { $0.callStackRootFrames.contains(where: \.isSimulated) }
    }
  }

  /// A hash of the content, independent of its formatting; the same on every machine and in every process.
  public var contentHash: PayloadHash { PayloadHash(digest) }
}
