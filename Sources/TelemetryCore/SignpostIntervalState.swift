import Platform

/// An interval between its begin and its single end; the counterpart of `OSSignpostIntervalState`.
///
/// A state that was decoded, or created by ``beginState(id:)``, is not checked: it ends the interval with its id and
/// the name given at the end.
public final class SignpostIntervalState: Codable, Sendable {
  /// The id.
  public let signpostID: SignpostID
  /// Begin of the interval on the signposter's clock; `nil` if unknown.
  let time: MonotonicInstant?
  /// The signposter that created the state; `nil` for an unchecked state.
  let signposter: SignposterCore?
  let name: StaticString
  let message: String?
  let usage: ProcessUsage?
  let ticket: OpenIntervals.Ticket?
  let isOverlapping: Bool
  /// Total delay of frames in nanoseconds; only for animations.
  private let lateness: Locked<Int64>?

  /// A state that belongs to one begin.
  init(
    _ name: StaticString, _ id: SignpostID, at time: MonotonicInstant, by signposter: SignposterCore,
    message: String?, usage: ProcessUsage?, ticket: OpenIntervals.Ticket?, isOverlapping: Bool,
    isAnimation: Bool
  ) {
    signpostID = id
    self.time = time
    self.signposter = signposter
    self.name = name
    self.message = message
    self.usage = usage
    self.ticket = ticket
    self.isOverlapping = isOverlapping
    lateness = isAnimation ? Locked(0) : nil
  }

  /// An unchecked state.
  private init(_ id: SignpostID, at time: MonotonicInstant?) {
    signpostID = id
    self.time = time
    signposter = nil
    name = ""
    message = nil
    usage = nil
    ticket = nil
    isOverlapping = false
    lateness = nil
  }

  /// Records a late frame of an animation; does nothing for other intervals.
  ///
  /// Apple's systems detect late frames themselves; elsewhere the drawing code reports them.
  ///
  /// ```swift
  /// let scroll = signposter.beginAnimationInterval("Scroll")
  /// for frame in frames where frame.shown > frame.due { scroll.noteHitch(frame.shown - frame.due) }
  /// signposter.endInterval("Scroll", scroll)
  /// ```
  ///
  /// - Parameter duration: The delay of the frame.
  public func noteHitch(_ duration: Duration) {
    let late = max(0, duration.clampedNanoseconds)
    lateness?.withLock { sum in
      let (longer, overflow) = sum.addingReportingOverflow(late)
      sum = overflow ? .max : longer
    }
  }

  /// Total delay of its frames in milliseconds; `nil` if it is not an animation.
  var hitchMs: Double? { lateness?.withLock { $0.milliseconds } }

  /// Recreates the state of an interval whose original state is not available.
  ///
  /// - Parameter id: The id given at the begin.
  public static func beginState(id: SignpostID) -> SignpostIntervalState {
    SignpostIntervalState(id, at: nil)
  }

  /// The state of every interval of a disabled signposter; its ends are ignored.
  @usableFromInline
  static let disabled = SignpostIntervalState(.null, at: nil)

  private enum CodingKeys: String, CodingKey {
    case signpostID, time
  }

  /// Reads a state written by this or another process.
  ///
  /// - Throws: `DecodingError`.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(SignpostID.self, forKey: .signpostID),
      at: try container.decodeIfPresent(Int64.self, forKey: .time).map(MonotonicInstant.init(nanoseconds:)))
  }

  /// Writes the id and the time of the begin.
  ///
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(signpostID, forKey: .signpostID)
    try container.encodeIfPresent(time?.nanoseconds, forKey: .time)
  }
}
