/// A payload of either kind.
public enum Payload: Hashable, Sendable {
  case metric(MetricPayload)
  case diagnostic(DiagnosticPayload)

  /// A hash of the content, independent of its formatting; the same on every machine and in every process.
  public var contentHash: PayloadHash {
    switch self {
    case .metric(let payload): payload.contentHash
    case .diagnostic(let payload): payload.contentHash
    }
  }

  /// True if Xcode simulated it; such payloads stay out of averages.
  public var isSimulated: Bool {
    switch self {
    case .metric(let payload): payload.isSimulated
    case .diagnostic(let payload): payload.isSimulated
    }
  }
}

/// An oddity of a payload that could be read nevertheless.
public struct PayloadNote: Hashable, Sendable {
  /// Location of the oddity.
  public let place: PayloadPlace
  /// A description for people.
  public let text: String
}

/// The reason why something could not be read as a payload.
public struct PayloadReadingError: Error, Hashable, Sendable {
  /// The kind of error.
  public enum Code: Hashable, Sendable {
    /// The bytes are not JSON.
    case notJSON
    /// The JSON neither is a payload nor contains one.
    case notAPayload
    /// The input is empty.
    case empty
  }

  /// The kind of error.
  public let code: Code
  /// Location of the error.
  public let place: PayloadPlace
  /// A description for people, without the place.
  public let text: String
}

/// The payloads read from some bytes.
public struct PayloadReading: Sendable {
  /// A payload and its location.
  public struct Item: Hashable, Sendable {
    /// Location of the start.
    public let place: PayloadPlace
    /// The payload.
    public let payload: Payload
    /// The hash of its content and its user, without the members that uploaders add.
    public let contentHash: PayloadHash
    /// True if its quantities are in a regional format, so numbers and units are inferred.
    public let isLocalized: Bool
    /// The JSON that it was read from, and what stood around it.
    package let origin: PayloadOrigin
  }

  /// Maximum notes and errors; further ones are only counted.
  public static let limit = 1_000

  /// The payloads in order, without duplicates.
  public var payloads: [Payload] { items.map(\.payload) }
  /// The payloads with their places.
  public internal(set) var items: [Item] = []
  /// Locations of payloads that had been read before.
  public internal(set) var duplicates: [PayloadPlace] = []
  /// Oddities.
  public internal(set) var notes: [PayloadNote] = []
  /// Values that were left out because they are none: an impossible unit, a size below zero, another type.
  public internal(set) var leftOut: [PayloadNote] = []
  /// Parts that could not be read.
  public internal(set) var errors: [PayloadReadingError] = []
  /// Number of notes and errors that were left out.
  public internal(set) var omitted = 0

  mutating func add(leftOut note: PayloadNote) {
    if leftOut.count < Self.limit { leftOut.append(note) }
    add(note)
  }

  mutating func add(_ note: PayloadNote) {
    if notes.count < Self.limit { notes.append(note) } else { omitted += 1 }
  }

  mutating func add(_ error: PayloadReadingError) {
    if errors.count < Self.limit { errors.append(error) } else { omitted += 1 }
  }
}

extension Payload {
  /// Figures of the payload, one for each field present.
  public var figures: [PayloadFigure] {
    switch self {
    case .metric(let payload): payload.figures
    case .diagnostic(let payload): payload.figures
    }
  }
}
