/// One diagnostic of a payload as it is recorded: bucket `payload`, metric `crashDiagnostics.callStackTree`.
///
/// Texts are cut where they are longer than ``textLimit`` bytes, so that a line of a store stays below a megabyte.
public struct PayloadDiagnostic: Codable, Hashable, Sendable {
  /// The most bytes that a text has.
  public static let textLimit = 2_048

  /// The version of the app; empty where the diagnostic names none.
  public let appVersion: String
  /// When the time of the payload began, as written there.
  public let begin: String
  /// When it ended, as written there.
  public let end: String
  /// True if a simulation made it.
  public let simulated: Bool
  /// The system as it names itself: `iPhone OS 16.0.2 (20A380)`; empty if unknown, like the following ones.
  public let os: String
  /// The model: `iPhone11,8`.
  public let device: String
  /// The reason in the words of the system: `EXC_BAD_ACCESS, SIGSEGV`, or `Main Runloop Hang`.
  ///
  /// The names of exceptions are those of the headers of Mach, not checked against payloads.
  public let reason: String
  /// Why the system ended the program, as written there.
  public let termination: String
  /// The exception of Objective-C that no one caught, with its message.
  public let exception: String
  /// How long the hang or the launch was, the processor's time, or the bytes written; nil where there is none.
  public let value: Double?
  /// The unit of the value: `sec`, `ms`, `byte`.
  public let unit: String
  /// Where the program was.
  public let callStacks: RecordedCallStacks
  /// Which payload it is of: the name of its file and the hash of its content.
  public let source: String
}

extension PayloadDiagnostic {
  /// Facts that diagnostics of one kind have beyond the common ones.
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
  /// As many whole characters as fit into `limit` bytes.
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
