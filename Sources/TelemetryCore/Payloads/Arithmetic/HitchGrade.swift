/// Rating of a hitch time ratio by Apple's limits.
public enum HitchGrade: String, Hashable, Sendable, CaseIterable, Codable {
  /// Less than 5 ms per second: hardly noticeable.
  case good
  /// From 5 to 10 ms per second: noticeable.
  case fair
  /// More than 10 ms per second: disruptive.
  case poor

  /// The grade of a ratio in milliseconds per second; `nil` if it is negative or not a number.
  public init?(ratio: Double) {
    guard ratio >= 0 else { return nil }
    self = ratio < 5 ? .good : ratio <= 10 ? .fair : .poor
  }
}
