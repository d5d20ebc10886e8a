/// An id that distinguishes overlapping intervals of one name; the counterpart of `OSSignpostID`.
///
/// ```swift
/// let id = signposter.makeSignpostID()
/// let state = signposter.beginInterval("Download", id: id)
/// ```
public struct SignpostID: Hashable, Sendable, Codable {
  /// The number.
  public let rawValue: UInt64

  /// A custom id; it should differ from the three predefined ones.
  public init(_ value: UInt64) { rawValue = value }

  /// For intervals that never overlap with others of the same name and category within one process.
  public static let exclusive = Self(0xEEEE_B0B5_B2B2_EEEE)
  /// No id; returned by a disabled signposter.
  public static let null = Self(0)
  /// A value that is never an id.
  public static let invalid = Self(.max)

  /// The number as recorded: 0 for ``exclusive``, and at most `Int.max`.
  public var recorded: Int {
    self == .exclusive ? 0 : Int(clamping: rawValue)
  }
}
