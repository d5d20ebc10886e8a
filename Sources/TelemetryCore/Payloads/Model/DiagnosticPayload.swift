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
  /// Terminations for using too much memory; iOS 27 and later.
  public var memoryExceptionDiagnostics: [MemoryExceptionDiagnostic]?
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
    SectionField("memoryExceptionDiagnostics", \.memoryExceptionDiagnostics, .list(.diagnostic())),
    SectionField("unclassifiedDiagnostics", \.unclassifiedDiagnostics, .list(.diagnostic())),
  ]

  /// A payload without diagnostics.
  public init() {}
}

extension DiagnosticPayload {
  /// All diagnostics, in Apple's order of the kinds.
  package var all: [any AnyDiagnostic] {
    let kinds: [[any AnyDiagnostic]?] = [
      crashDiagnostics, hangDiagnostics, cpuExceptionDiagnostics, diskWriteExceptionDiagnostics,
      appLaunchDiagnostics, memoryExceptionDiagnostics, unclassifiedDiagnostics,
    ]
    return kinds.flatMap { $0 ?? [] }
  }

  /// All call stacks of all diagnostics.
  public var callStackTrees: [CallStackTree] { all.compactMap(\.callStackTree) }

  /// True if there are no diagnostics.
  public var isEmpty: Bool { all.isEmpty }

  /// The app versions named by its diagnostics, in order.
  package var applicationVersions: [String] { Set(all.compactMap(\.applicationVersion)).sorted() }

  /// The origin of the payload, from the first diagnostic that has one.
  var metaData: PayloadMetaData? { all.map(\.metaData).first { $0 != PayloadMetaData() } }

  /// Takes the period from the diagnostics if the payload has none, as other tools write it.
  mutating func takePeriod() {
    guard timeStampBegin == nil, timeStampEnd == nil else { return }
    timeStampBegin = all.lazy.compactMap(\.timeStampBegin).first
    timeStampEnd = all.lazy.compactMap(\.timeStampEnd).first
  }

  /// True if Xcode simulated it: its frames have a fixed name.
  public var isSimulated: Bool {
    callStackTrees.contains { tree in
      tree.callStacks.contains { $0.callStackRootFrames.contains(where: \.isSimulated) }
    }
  }

  /// A hash of the content, independent of its formatting; the same on every machine and in every process.
  public var contentHash: PayloadHash { PayloadHash(digest) }
}
