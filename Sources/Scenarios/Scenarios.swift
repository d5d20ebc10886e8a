import CScenarios

/// The scenarios of the simulators, embedded in the program: one JSON5 file each.
public enum Scenarios {
  /// A file in the folder `Resources`.
  public struct File: Sendable {
    /// The name without its extension.
    public let name: String
    /// The contents in JSON5.
    public let bytes: [UInt8]
  }

  /// The scenarios of the sync engine, in reading order.
  public static let stories = files(embedded_sync_stories)
  /// The scenarios of the delivery client, in reading order.
  public static let deliveryStories = files(embedded_delivery_stories)

  private static func files(_ group: embedded_group) -> [File] {
    var count = 0
    let first = embedded_files(group, &count)
    return UnsafeBufferPointer(start: first, count: count).map { file in
      File(
        name: String(cString: file.name),
        bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.size)))
    }
  }
}
