package import Codecs

/// The system's record of a failure.
///
/// Fields specific to one kind are in ``details`` and directly accessible: `crash.exceptionType`.
@dynamicMemberLookup
public struct Diagnostic<Details: Hashable & Sendable>: Hashable, Sendable {
  /// The version of the format.
  public var version: String?
  /// Its own start; Apple writes that of the payload alone.
  public var timeStampBegin: PayloadTime?
  /// Its own end.
  public var timeStampEnd: PayloadTime?
  /// The call stacks.
  public var callStackTree: CallStackTree?
  /// The origin of the diagnostic.
  public var metaData = PayloadMetaData()
  /// The app version.
  public var applicationVersion: String?
  /// The app's signposts around that time.
  public var signpostData: [DiagnosticSignpost]?
  /// The states of the app at that time; iOS 27 and later.
  public var states: [ReportedState]?
  /// Details of this kind.
  public var details: Details
  package var otherFields: [String: JSONValue] = [:]

  /// A diagnostic with its details.
  public init(_ details: Details) {
    self.details = details
  }

  /// Details of this kind, by property.
  public subscript<Value>(dynamicMember property: WritableKeyPath<Details, Value>) -> Value {
    get { details[keyPath: property] }
    set { details[keyPath: property] = newValue }
  }

  /// Values derived from the details of this kind: `crash.signalName`.
  public subscript<Value>(dynamicMember property: KeyPath<Details, Value>) -> Value {
    details[keyPath: property]
  }
}

/// A diagnostic of any kind.
package protocol AnyDiagnostic: Sendable {
  var callStackTree: CallStackTree? { get }
  var metaData: PayloadMetaData { get }
  var applicationVersion: String? { get }
  var timeStampBegin: PayloadTime? { get }
  var timeStampEnd: PayloadTime? { get }
}

extension Diagnostic: AnyDiagnostic {}

/// A crash.
public typealias CrashDiagnostic = Diagnostic<CrashDetails>
/// A hang of about a second or more.
public typealias HangDiagnostic = Diagnostic<HangDetails>
/// Excessive processor use.
public typealias CPUExceptionDiagnostic = Diagnostic<CPUExceptionDetails>
/// Excessive disk writes.
public typealias DiskWriteExceptionDiagnostic = Diagnostic<DiskWriteExceptionDetails>
/// A slow launch.
public typealias AppLaunchDiagnostic = Diagnostic<AppLaunchDetails>
/// A termination for using too much memory.
public typealias MemoryExceptionDiagnostic = Diagnostic<MemoryExceptionDetails>
/// Call stacks of an unknown kind, as some tools pass them on alone.
public typealias UnclassifiedDiagnostic = Diagnostic<UnclassifiedDetails>

/// A signpost around the time of a diagnostic.
public struct DiagnosticSignpost: PayloadSection {
  /// The subsystem.
  public var subsystem: String?
  /// The category.
  public var category: String?
  /// The name.
  public var name: String?
  /// Start of the signpost.
  public var beginTimeStamp: PayloadTime?
  /// End of the signpost.
  public var endTimeStamp: PayloadTime?
  /// Duration; the only one that is written with its fraction.
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

  /// An empty signpost.
  public init() {}
}
