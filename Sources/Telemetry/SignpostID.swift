/// Tells apart intervals of one name that overlap; the counterpart of `OSSignpostID`.
public struct SignpostID: Hashable, Sendable, Codable {
  /// The number.
  public let rawValue: UInt64

  /// An id of one's own; it should not equal one of the three that the system defines.
  public init(_ value: UInt64) { rawValue = value }

  /// For intervals that never overlap with others of their name and category, within one process.
  public static let exclusive = Self(0xEEEE_B0B5_B2B2_EEEE)
  /// No id.
  public static let null = Self(0)
  /// A value that is never an id.
  public static let invalid = Self(.max)
}
