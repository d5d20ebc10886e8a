/// A source of measurements; each has payloads of its own, at most one per day.
///
/// ```swift
/// recorder.record(.dataFiles, bytes: 1_200_000, source: .diskSpace)
/// ```
public struct PayloadSource: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The identifier.
  public let identifier: String

  /// A source with an identifier of at most sixty bytes; figures with an empty or longer one are refused and counted.
  public init(_ identifier: String) {
    self.identifier = identifier
  }

  /// A source with an identifier.
  public init(stringLiteral identifier: String) {
    self.init(identifier)
  }

  /// The app itself.
  public static let app = Self("app")
  /// The source of the app's disk usage.
  public static let diskSpace = Self("diskSpace")

  /// True if an identifier can be part of a file name.
  static func isSound(_ identifier: String) -> Bool { (1...60).contains(identifier.utf8.count) }
}
