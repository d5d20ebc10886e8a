/// How a ratio of hitch time is judged, by Apple's limits.
public enum HitchGrade: String, Hashable, Sendable, CaseIterable, Codable {
  /// Less than 5 ms in a second: hardly noticed.
  case good
  /// From 5 to 10 ms in a second: noticed.
  case fair
  /// More than 10 ms in a second: in the way.
  case poor

  /// The grade of a ratio, in milliseconds per second; `nil` for what is none.
  public init?(ratio: Double) {
    guard ratio >= 0 else { return nil }
    self = ratio < 5 ? .good : ratio <= 10 ? .fair : .poor
  }
}
