/// A namespace for metrics that belong together.
///
/// ```swift
/// let app = Bucket("app")
/// let startupTimeMs = app.doubleMetric("startup_time_ms")
/// let launchCount = app.intMetric("launch_count")
/// ```
public struct Bucket: Hashable, Sendable, Identifiable {
  /// The bucket's name.
  public let id: String

  /// Creates a bucket; two buckets with the same name are equal.
  ///
  /// - Parameter name: The name, as written to the file.
  public init(_ name: String) {
    id = name
  }
}

extension Bucket: Codable {
  /// Decodes a bucket from a bare string.
  ///
  /// - Throws: `DecodingError` for anything but a string.
  public init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(String.self)
  }

  /// Encodes the bucket as a bare string.
  ///
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}
