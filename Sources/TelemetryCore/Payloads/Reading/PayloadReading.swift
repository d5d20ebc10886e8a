/// A payload of either kind.
public enum Payload: Hashable, Sendable {
  case metric(MetricPayload)
  case diagnostic(DiagnosticPayload)

  /// A hash that distinguishes payloads however they were written; the same on every machine and in every process.
  public var contentHash: PayloadHash {
    switch self {
    case .metric(let payload): payload.contentHash
    case .diagnostic(let payload): payload.contentHash
    }
  }

  /// True if Xcode made it up; such payloads stay out of averages.
  public var isSimulated: Bool {
    switch self {
    case .metric(let payload): payload.isSimulated
    case .diagnostic(let payload): payload.isSimulated
    }
  }
}

/// Something odd about a payload that could be read all the same.
public struct PayloadNote: Hashable, Sendable {
  /// Where.
  public let place: PayloadPlace
  /// A description for people.
  public let text: String
}

/// Why something could not be read as a payload.
public struct PayloadReadingError: Error, Hashable, Sendable {
  /// The kind of fault.
  public enum Code: Hashable, Sendable {
    /// The bytes are no JSON.
    case notJSON
    /// The JSON is no payload and none is in it.
    case notAPayload
    /// There is nothing at all.
    case empty
  }

  /// The kind of fault.
  public let code: Code
  /// Where.
  public let place: PayloadPlace
  /// The same in words, without the place.
  public let text: String
}

/// The payloads read from some bytes.
public struct PayloadReading: Sendable {
  /// A payload and where it stood.
  public struct Item: Hashable, Sendable {
    /// Where it begins.
    public let place: PayloadPlace
    /// The payload.
    public let payload: Payload
    /// Its ``Payload/contentHash``, which takes a while to compute.
    public let contentHash: PayloadHash
    /// True if its quantities are written as a region does, so that numbers and units are understood, not known.
    public let isLocalized: Bool
  }

  /// Maximum notes and errors; of further ones only the number is kept.
  public static let limit = 1_000

  /// The payloads in their order, each content once.
  public var payloads: [Payload] { items.map(\.payload) }
  /// The payloads with their places.
  public internal(set) var items: [Item] = []
  /// Where a payload stood that was read before.
  public internal(set) var duplicates: [PayloadPlace] = []
  /// Oddities.
  public internal(set) var notes: [PayloadNote] = []
  /// Parts that could not be read.
  public internal(set) var errors: [PayloadReadingError] = []
  /// How many notes and errors were left out.
  public internal(set) var omitted = 0

  mutating func add(_ note: PayloadNote) {
    if notes.count < Self.limit { notes.append(note) } else { omitted += 1 }
  }

  mutating func add(_ error: PayloadReadingError) {
    if errors.count < Self.limit { errors.append(error) } else { omitted += 1 }
  }
}
