/// One diagnostic of a payload as recorded: bucket `payload`, metric `crashDiagnostics.callStackTree`.
///
/// Texts longer than ``textLimit`` bytes are truncated, so that a line of a store stays below a megabyte.
public struct PayloadDiagnostic: Codable, Hashable, Sendable {
  /// Maximum bytes of a text.
  public static let textLimit = 2_048

  /// The app version; empty if the diagnostic names none.
  public let appVersion: String
  /// Start of the payload's period, as written there.
  public let begin: String
  /// End of the period, as written there.
  public let end: String
  /// True if it was simulated.
  public let simulated: Bool
  /// The operating system as it identifies itself: `iPhone OS 16.0.2 (20A380)`; empty if unknown, like the following ones.
  public let os: String
  /// The model: `iPhone11,8`.
  public let device: String
  /// The reason in the system's words: `EXC_BAD_ACCESS, SIGSEGV`, or `Main Runloop Hang`.
  ///
  /// Exception names are those of the Mach headers and have not been checked against payloads.
  public let reason: String
  /// The reason why the system terminated the program, as written there.
  public let termination: String
  /// The uncaught Objective-C exception, with its message.
  public let exception: String
  /// Duration of the hang or launch, processor time, or bytes written; `nil` if there is none.
  public let value: Double?
  /// The unit of the value: `sec`, `ms`, `byte`.
  public let unit: String
  /// The call stacks.
  public package(set) var callStacks: RecordedCallStacks
  /// The payload's file name and content hash.
  public let source: String
}

extension PayloadDiagnostic {
  /// Facts specific to one kind of diagnostic.
  struct Facts {
    var reason = ""
    var termination = ""
    var exception = ""
    var amount: (value: Double, unit: PayloadUnit)?
  }

  init<Details>(
    _ diagnostic: Diagnostic<Details>, of payload: DiagnosticPayload, isSimulated: Bool, facts: Facts,
    source: RecordedSource
  ) {
    appVersion = (diagnostic.applicationVersion ?? "").cut(to: Self.textLimit)
    begin = payload.timeStampBegin?.description ?? ""
    end = payload.timeStampEnd?.description ?? ""
    simulated = isSimulated
    os = (diagnostic.metaData.osVersion ?? "").cut(to: Self.textLimit)
    device = (diagnostic.metaData.deviceType ?? "").cut(to: Self.textLimit)
    reason = facts.reason.cut(to: Self.textLimit)
    termination = facts.termination.cut(to: Self.textLimit)
    exception = facts.exception.cut(to: Self.textLimit)
    let amount = facts.amount.flatMap { $0.value.isFinite ? $0 : nil }
    value = amount?.value
    unit = amount?.unit.word ?? ""
    callStacks = RecordedCallStacks(diagnostic.callStackTree ?? CallStackTree())
    self.source = source.description.cut(to: Self.textLimit)
  }
}

extension String {
  /// The longest prefix of whole characters that fits into `limit` bytes.
  func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var bytes = 0
    return String(
      prefix { character in
        bytes += character.utf8.count
        return bytes <= limit
      })
  }
}
