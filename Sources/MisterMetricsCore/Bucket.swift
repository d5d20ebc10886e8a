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

  /// Names a bucket; two buckets of the same name are the same.
  ///
  /// - Parameter name: The name, as it stands in the file.
  public init(_ name: String) {
    id = name
  }
}

extension Bucket: Codable {
  /// Reads a bucket from a bare string.
  ///
  /// - Throws: `DecodingError` when there is something other than a string.
  public init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes the bucket as a bare string.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}
