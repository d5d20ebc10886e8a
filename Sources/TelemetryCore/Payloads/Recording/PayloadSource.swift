/// The source of measurements: the figures of each source come in payloads of their own, at most one a day.
///
/// ```swift
/// recorder.record(.dataFiles, bytes: 1_200_000, source: .diskSpace)
/// ```
public struct PayloadSource: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The identifier.
  public let identifier: String

  /// A source by its identifier, of at most sixty bytes; what a longer or an empty one records is refused and counted.
  public init(_ identifier: String) {
    self.identifier = identifier
  }

  /// A source by its identifier.
  public init(stringLiteral identifier: String) {
    self.init(identifier)
  }

  /// The app itself.
  public static let app = Self("app")
  /// The source that measures the app's disk usage.
  public static let diskSpace = Self("diskSpace")

  /// True if an identifier can be part of the name of a file.
  static func isSound(_ identifier: String) -> Bool { (1...60).contains(identifier.utf8.count) }
}
