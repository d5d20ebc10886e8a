/// The cause of a dropped event; the raw value appears in records and debug information.
public enum DropCause: String, Sendable, Hashable, CaseIterable, Codable {
  /// The memory queue was full, and the disk is disabled.
  case memoryFull
  /// The disk queue was full.
  case diskFull
  /// The disk refused writes until too many events were parked.
  case parkedFull
  /// Older than seven days when read from disk.
  case expired
  /// Unreadable on disk.
  case damaged
  /// The server will never accept it (400, 422, other 4xx); set aside for the app.
  case refused
  /// Too large for the server, even alone (413).
  case tooLarge
  /// The batch could not be encoded.
  case notEncodable
  /// The server refused this client (401, 403, 404), now or earlier.
  case disabled
  /// The client was reset.
  case reset
  /// Dropped in favor of later calls, before the client was ready or because it could not keep up.
  case proxyFull
  /// A call to a client with invalid options.
  case invalidOptions
  /// A call with a blank id, or to a client that is not ready.
  case invalidCall
  /// The app's ``InitOptions/enrich`` returned no event.
  case vetoed
}

extension DropCause {
  /// The cause for several events as the end of a sentence.
  package var sentence: String { sentence(2) }

  /// The cause for a number of events as the end of a sentence.
  package func sentence(_ count: Int) -> String {
    let (they, them) = count == 1 ? ("it", "it") : ("they", "them")
    let were = count == 1 ? "was" : "were"
    return switch self {
    case .memoryFull: "because the memory queue was full"
    case .diskFull: "because the disk queue was full"
    case .parkedFull: "because the disk refused writes and the memory queue was full"
    case .expired: "because \(they) \(were) older than seven days"
    case .damaged: "because \(they) could not be read from disk"
    case .refused: "because the endpoint refused \(them)"
    case .tooLarge: "because the endpoint found \(them) too large"
    case .notEncodable: "because \(they) could not be encoded"
    case .disabled: "because the endpoint refused this client"
    case .reset: "because the client was reset"
    case .proxyFull: "because more calls came than the client could take"
    case .invalidOptions: "because the client's options were refused"
    case .invalidCall: "because the call was invalid"
    case .vetoed: "because \(they) \(were) vetoed by the app"
    }
  }
}
