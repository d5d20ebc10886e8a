package import Codecs

/// The origin of a payload.
public struct PayloadMetaData: PayloadSection {
  /// The operating system as it identifies itself: `iPhone OS 16.0.2 (20A380)`; see ``system``.
  public var osVersion: String?
  /// The model: `iPhone11,8`.
  public var deviceType: String?
  /// The region; it does not determine the language in which numbers are written.
  public var regionFormat: String?
  /// The build of the app; may be empty.
  public var applicationBuildVersion: String?
  /// The processor: `arm64e`.
  public var platformArchitecture: String?
  /// The identifier of the app.
  public var bundleIdentifier: String?
  /// True if low power mode was on when the payload was assembled, which is later than its figures were recorded.
  public var lowPowerModeEnabled: Bool?
  /// True if the app was installed through TestFlight.
  public var isTestFlightApp: Bool?
  /// The process identifier; -1 in metric payloads.
  public var pid: Int?
  /// True if the app reported more states than the system keeps; iOS 27 and later.
  public var hasExceededStateLimit: Bool?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("osVersion", \.osVersion, .text),
    SectionField("deviceType", \.deviceType, .text, aliases: ["deviceModel"]),
    SectionField("regionFormat", \.regionFormat, .text),
    SectionField(
      "appBuildVersion", \.applicationBuildVersion, .text, aliases: ["applicationBuildVersion"]),
    SectionField("platformArchitecture", \.platformArchitecture, .text),
    SectionField("bundleIdentifier", \.bundleIdentifier, .text),
    SectionField("lowPowerModeEnabled", \.lowPowerModeEnabled, .flag),
    SectionField("isTestFlightApp", \.isTestFlightApp, .flag),
    SectionField("pid", \.pid, .integer),
    SectionField("hasExceededStateLimit", \.hasExceededStateLimit, .flag),
  ]

  /// Empty metadata.
  public init() {}

  /// The parts of ``osVersion``; `nil` if it has another form.
  public var system: SystemVersion? { osVersion.flatMap(SystemVersion.init) }
}

/// An operating system and its version: `iPhone OS 16.0.2 (20A380)`.
public struct SystemVersion: Hashable, Sendable {
  /// The name: `iPhone OS`.
  public let name: String
  /// The version: `16.0.2`.
  public let version: String
  /// The build: `20A380`; `nil` if there is none.
  public let build: String?

  /// Parses a text; `nil` without a version in it.
  public init?(_ text: String) {
    var words = text.split(separator: " ")
    if let last = words.last, last.hasPrefix("("), last.hasSuffix(")") {
      build = String(last.dropFirst().dropLast())
      words.removeLast()
    } else {
      build = nil
    }
    guard let version = words.popLast(), version.first?.isNumber == true else { return nil }
    self.version = String(version)
    name = words.joined(separator: " ")
  }
}
