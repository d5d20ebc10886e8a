package import Codecs

/// The system's record of a failure.
///
/// Fields of one kind are in ``details`` and can be asked for directly: `crash.exceptionType`.
@dynamicMemberLookup
public struct Diagnostic<Details: Hashable & Sendable>: Hashable, Sendable {
  /// The version of the form.
  public var version: String?
  /// The call stacks.
  public var callStackTree: CallStackTree?
  /// Where it comes from.
  public var metaData = PayloadMetaData()
  /// The version of the app.
  public var applicationVersion: String?
  /// The signposts of the app around that time.
  public var signpostData: [DiagnosticSignpost]?
  /// Details of this kind alone.
  public var details: Details
  package var otherFields: [String: JSONValue] = [:]

  /// A diagnostic with its details.
  public init(_ details: Details) {
    self.details = details
  }

  /// Details of this kind alone.
  public subscript<Value>(dynamicMember property: WritableKeyPath<Details, Value>) -> Value {
    get { details[keyPath: property] }
    set { details[keyPath: property] = newValue }
  }

  /// Values derived from the details of this kind: `crash.signalName`.
  public subscript<Value>(dynamicMember property: KeyPath<Details, Value>) -> Value {
    details[keyPath: property]
  }
}

/// A crash.
public typealias CrashDiagnostic = Diagnostic<CrashDetails>
/// A hang, of a second or so at least.
public typealias HangDiagnostic = Diagnostic<HangDetails>
/// Too much use of the processor.
public typealias CPUExceptionDiagnostic = Diagnostic<CPUExceptionDetails>
/// Too many writes to disk.
public typealias DiskWriteExceptionDiagnostic = Diagnostic<DiskWriteExceptionDetails>
/// A slow launch.
public typealias AppLaunchDiagnostic = Diagnostic<AppLaunchDetails>
/// Call stacks that tell no kind, as tools pass on alone.
public typealias UnclassifiedDiagnostic = Diagnostic<UnclassifiedDetails>

/// A signpost around the time of a diagnostic.
public struct DiagnosticSignpost: PayloadSection {
  /// The subsystem.
  public var subsystem: String?
  /// The category.
  public var category: String?
  /// The name.
  public var name: String?
  /// When it began.
  public var beginTimeStamp: PayloadTime?
  /// When it ended.
  public var endTimeStamp: PayloadTime?
  /// How long it took; the one duration that is written with its fraction.
  package var durationQuantity: Quantity<DurationUnit>?
  /// True if it is an interval, not an event.
  public var isInterval: Bool?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("subsystem", \.subsystem, .text),
    SectionField("category", \.category, .text),
    SectionField("name", \.name, .text),
    SectionField("beginTimeStamp", \.beginTimeStamp, .time),
    SectionField("endTimeStamp", \.endTimeStamp, .time),
    SectionField("duration", \.durationQuantity, .duration(.seconds, style: .fraction)),
    SectionField("isInterval", \.isInterval, .flag),
  ]

  /// A signpost of which nothing is known.
  public init() {}
}
