package import Codecs

/// A state of the app, such as its screen or the arm of an experiment; iOS 27 and later.
public struct ReportedState: PayloadSection {
  /// The kind of state: `com.example.app.screen`.
  public var domain: String?
  /// The state: `checkout`.
  public var label: String?
  /// Time spent in the state.
  package var durationQuantity: Quantity<DurationUnit>?
  /// Values that the app reported with the state.
  var stableMetadata: [String: JSONValue]?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("domain", \.domain, .text),
    SectionField("label", \.label, .text),
    SectionField("duration", \.durationQuantity, .duration(.seconds)),
    SectionField("stableMetadata", \.stableMetadata, .members),
  ]

  /// An empty state.
  public init() {}

  /// The label with the state's stable metadata: `checkout (userTier: premium)`.
  public var name: String? {
    let metadata = (stableMetadata ?? [:]).sorted { $0.key < $1.key }.map {
      "\($0.key): \(Self.words($0.value))"
    }
    guard !metadata.isEmpty else { return label }
    return "\(label ?? "-") (\(metadata.joined(separator: ", ")))"
  }

  /// The text of a value in any form with one key: `{"string": "premium"}`.
  private static func words(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .object(let fields): fields.count == 1 ? fields.values.map(words).joined() : "…"
    default: value.compactText
    }
  }
}

/// The figures of a part of the day, or of the day in one state of the app; iOS 27 and later.
public struct ReportEntry: Hashable, Sendable {
  /// The state; `nil` for a part of the day.
  public let state: ReportedState?
  /// Length of the part in seconds; 0 if unknown.
  public let duration: Double
  /// The sections of a payload, without its origin.
  public let sections: MetricPayload
}
