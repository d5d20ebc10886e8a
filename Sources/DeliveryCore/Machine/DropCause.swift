/// Why an event was abandoned; the text is the one of the records and of the debug information.
public enum DropCause: String, Sendable, Hashable, CaseIterable, Codable {
  /// The memory queue was full, and nothing may be put on disk.
  case memoryFull
  /// The disk queue was full.
  case diskFull
  /// The disk refused writes until too many events were parked.
  case parkedFull
  /// Older than seven days when it was read from disk.
  case expired
  /// Could not be read from disk.
  case damaged
  /// The server will never take it (400, 422, other 4xx).
  case refused
  /// Too large for the server, even alone (413).
  case tooLarge
  /// The batch could not be encoded.
  case notEncodable
  /// The server refused this client (401, 403, 404), now or before.
  case disabled
  /// The client was reset.
  case reset
  /// Pushed out by later calls, before the client was ready or because it cannot keep up with them.
  case proxyFull
  /// A call to a client whose options were refused.
  case invalidOptions
  /// A call with a blank id, or of a client that is not ready.
  case invalidCall
}

extension DropCause {
  /// The cause as the end of a sentence.
  package var sentence: String {
    switch self {
    case .memoryFull: "because the memory queue is full"
    case .diskFull: "because the disk queue is full"
    case .parkedFull: "because the disk refuses writes and the memory queue is full"
    case .expired: "because they are older than seven days"
    case .damaged: "because they could not be read from disk"
    case .refused: "because the endpoint refused them"
    case .tooLarge: "because the endpoint finds them too large"
    case .notEncodable: "because they cannot be encoded"
    case .disabled: "because the endpoint refused this client"
    case .reset: "because the client was reset"
    case .proxyFull: "because more calls came than the client could take"
    case .invalidOptions: "because the client's options were refused"
    case .invalidCall: "because the call was invalid"
    }
  }
}
