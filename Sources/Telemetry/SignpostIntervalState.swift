import MisterMetrics

/// An interval between its begin and its one end; the counterpart of `OSSignpostIntervalState`.
///
/// A state that was decoded, or made by ``beginState(id:)``, is not checked: it ends the interval of its id and of the
/// name that the end gives.
///
/// `@unchecked Sendable` is safe: all members are constants except `hasEnded`, which only the signposter that made the
/// state touches, holding its lock.
public final class SignpostIntervalState: Codable, @unchecked Sendable {
  /// What only a begin knows.
  struct Begin: Sendable {
    let signposter: SignposterCore
    let name: StaticString
    let message: String?
    let usage: ProcessUsage?
    let isOverlapping: Bool
  }

  /// The id.
  public let signpostID: SignpostID
  /// When it began, on the clock of the signposter; `nil` where that is not known.
  let time: Duration?
  /// The begin, or `nil` for a state that is not checked.
  let begin: Begin?
  /// Whether an end has consumed the state.
  var hasEnded = false

  init(_ id: SignpostID, at time: Duration?, begin: Begin?) {
    signpostID = id
    self.time = time
    self.begin = begin
  }

  /// Recreates the state of an interval whose own state is out of reach.
  ///
  /// - Parameter id: The id with which it was begun.
  public static func beginState(id: SignpostID) -> SignpostIntervalState {
    SignpostIntervalState(id, at: nil, begin: nil)
  }

  /// What every begin of a disabled signposter returns; its ends are not looked at.
  static let disabled = SignpostIntervalState(.null, at: nil, begin: nil)

  private enum CodingKeys: String, CodingKey {
    case signpostID, time
  }

  /// Reads a state that this or another process has written.
  ///
  /// - Throws: `DecodingError`.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(SignpostID.self, forKey: .signpostID),
      at: try container.decodeIfPresent(Duration.self, forKey: .time), begin: nil)
  }

  /// Writes the id and the time of the begin.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(signpostID, forKey: .signpostID)
    try container.encodeIfPresent(time, forKey: .time)
  }
}
