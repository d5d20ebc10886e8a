package import Codecs

/// The details of one kind of diagnostic.
package protocol DiagnosticDetails: PayloadSection {
  /// Fields beside the call stacks instead of in the metadata.
  static var elementFields: [SectionField<Self>] { get }
}

extension DiagnosticDetails {
  package static var elementFields: [SectionField<Self>] { [] }
}

/// Details of a crash.
public struct CrashDetails: DiagnosticDetails {
  /// The Mach exception: 1 is a bad access.
  public var exceptionType: Int?
  /// The exception's code.
  public var exceptionCode: Int?
  /// The signal in Darwin's numbering: 10 is `SIGBUS`.
  public var signal: Int?
  /// The reason why the system terminated the program; absent for a plain abort.
  public var terminationReason: String?
  /// The counter of exits that the crash belongs to: `badAccess`; iOS 27 and later.
  public var terminationCategory: String?
  /// The memory region of the access.
  public var virtualMemoryRegionInfo: String?
  /// The uncaught Objective-C exception.
  public var exceptionReason: ExceptionReason?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("exceptionType", \.exceptionType, .integer),
    SectionField("exceptionCode", \.exceptionCode, .code),
    SectionField("signal", \.signal, .integer),
    SectionField("terminationReason", \.terminationReason, .words),
    SectionField("terminationCategory", \.terminationCategory, .text),
    SectionField("virtualMemoryRegionInfo", \.virtualMemoryRegionInfo, .text),
    SectionField(
      "objectiveCexceptionReason", \.exceptionReason, .section,
      aliases: ["exceptionReason", "objectiveCExceptionReason"]),
  ]

  /// Empty details.
  public init() {}
}

/// An Objective-C exception.
public struct ExceptionReason: PayloadSection {
  /// The whole message.
  public var composedMessage: String?
  /// The message without its arguments.
  public var formatString: String?
  /// The arguments.
  public var arguments: [String]?
  /// The type.
  public var exceptionType: String?
  /// The class.
  public var className: String?
  /// The name: `NSInvalidArgumentException`.
  public var exceptionName: String?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("composedMessage", \.composedMessage, .text),
    SectionField("formatString", \.formatString, .text),
    SectionField("arguments", \.arguments, .list(.text)),
    SectionField("exceptionType", \.exceptionType, .text),
    SectionField("className", \.className, .text),
    SectionField("exceptionName", \.exceptionName, .text),
  ]

  /// An empty exception.
  public init() {}
}

/// Details of a hang.
public struct HangDetails: DiagnosticDetails {
  /// Duration of the hang.
  package var hangDurationQuantity: Quantity<DurationUnit>?
  /// The kind of hang: `Main Runloop Hang`; written by recent systems.
  public var hangType: String?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("hangDuration", \.hangDurationQuantity, .duration(.seconds))
  ]
  package static let elementFields: [SectionField<Self>] = [SectionField("hangType", \.hangType, .text)]

  /// Empty details.
  public init() {}
}

/// Details of excessive processor use.
public struct CPUExceptionDetails: DiagnosticDetails {
  /// The processor time.
  package var totalCPUTimeQuantity: Quantity<DurationUnit>?
  /// The period that was sampled.
  package var totalSampledTimeQuantity: Quantity<DurationUnit>?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("totalCPUTime", \.totalCPUTimeQuantity, .duration(.seconds)),
    SectionField("totalSampledTime", \.totalSampledTimeQuantity, .duration(.seconds)),
  ]

  /// Empty details.
  public init() {}
}

/// Details of excessive disk writes.
public struct DiskWriteExceptionDetails: DiagnosticDetails {
  /// Amount of data written.
  package var totalWritesCausedQuantity: Quantity<InformationUnit>?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField(
      "writesCaused", \.totalWritesCausedQuantity, .bytes,
      swiftName: "totalWritesCaused", aliases: ["totalBytesWritten"])
  ]

  /// Empty details.
  public init() {}
}

/// Details of a slow launch.
public struct AppLaunchDetails: DiagnosticDetails {
  /// Duration of the launch.
  package var launchDurationQuantity: Quantity<DurationUnit>?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("launchDuration", \.launchDurationQuantity, .duration(.milliseconds))
  ]

  /// Empty details.
  public init() {}
}

/// Details of a termination for using too much memory.
public struct MemoryExceptionDetails: DiagnosticDetails {
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = []

  /// Empty details.
  public init() {}
}

/// No details, because the kind is unknown.
public struct UnclassifiedDetails: DiagnosticDetails {
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = []

  /// Empty details.
  public init() {}
}
