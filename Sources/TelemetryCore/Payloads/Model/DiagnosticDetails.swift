package import Codecs

/// The details of one kind of diagnostic.
package protocol DiagnosticDetails: PayloadSection {
  /// The fields that stand beside the call stacks, not in the metadata.
  static var elementFields: [SectionField<Self>] { get }
}

extension DiagnosticDetails {
  package static var elementFields: [SectionField<Self>] { [] }
}

/// How a program crashed.
public struct CrashDetails: DiagnosticDetails {
  /// The Mach exception: 1 is a bad access.
  public var exceptionType: Int?
  /// The exception's further code.
  public var exceptionCode: Int?
  /// The signal, by Darwin's numbers: 10 is `SIGBUS`.
  public var signal: Int?
  /// Why the system ended the program; absent for a plain abort.
  public var terminationReason: String?
  /// Where in memory it was.
  public var virtualMemoryRegionInfo: String?
  /// The exception of Objective-C that no one caught.
  public var exceptionReason: ExceptionReason?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("exceptionType", \.exceptionType, .integer),
    SectionField("exceptionCode", \.exceptionCode, .integer),
    SectionField("signal", \.signal, .integer),
    SectionField("terminationReason", \.terminationReason, .text),
    SectionField("virtualMemoryRegionInfo", \.virtualMemoryRegionInfo, .text),
    SectionField(
      "objectiveCexceptionReason", \.exceptionReason, .section,
      aliases: ["exceptionReason", "objectiveCExceptionReason"]),
  ]

  /// Details of which nothing is known.
  public init() {}
}

/// An exception of Objective-C.
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

  /// An exception of which nothing is known.
  public init() {}
}

/// How a program hung.
public struct HangDetails: DiagnosticDetails {
  /// How long.
  package var hangDurationQuantity: Quantity<DurationUnit>?
  /// The kind of hang: `Main Runloop Hang`; new systems write it.
  public var hangType: String?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("hangDuration", \.hangDurationQuantity, .duration(.seconds))
  ]
  package static let elementFields: [SectionField<Self>] = [SectionField("hangType", \.hangType, .text)]

  /// Details of which nothing is known.
  public init() {}
}

/// How a program used the processor too much.
public struct CPUExceptionDetails: DiagnosticDetails {
  /// The processor time.
  package var totalCPUTimeQuantity: Quantity<DurationUnit>?
  /// The time that was looked at.
  package var totalSampledTimeQuantity: Quantity<DurationUnit>?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("totalCPUTime", \.totalCPUTimeQuantity, .duration(.seconds)),
    SectionField("totalSampledTime", \.totalSampledTimeQuantity, .duration(.seconds)),
  ]

  /// Details of which nothing is known.
  public init() {}
}

/// How a program wrote too much to disk.
public struct DiskWriteExceptionDetails: DiagnosticDetails {
  /// How much.
  package var totalWritesCausedQuantity: Quantity<InformationUnit>?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField(
      "writesCaused", \.totalWritesCausedQuantity, .information(.bytes), aliases: ["totalWritesCaused"])
  ]

  /// Details of which nothing is known.
  public init() {}
}

/// How a program was slow to launch.
public struct AppLaunchDetails: DiagnosticDetails {
  /// How long it took.
  package var launchDurationQuantity: Quantity<DurationUnit>?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("launchDuration", \.launchDurationQuantity, .duration(.milliseconds))
  ]

  /// Details of which nothing is known.
  public init() {}
}

/// No details: the kind is not known.
public struct UnclassifiedDetails: DiagnosticDetails {
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = []

  /// Nothing.
  public init() {}
}
