public import Foundation
public import TelemetryCore

extension PayloadRecorder {
  /// Creates a recorder over a folder, which is created if missing.
  ///
  /// - Parameters:
  ///   - folder: A folder of its own, without other files.
  ///   - version: The version of the app; `nil` for that of the main bundle.
  ///   - metaData: The payloads' metadata about app and device.
  /// - Throws: `MetricError` with `fileUnavailable` if the folder cannot be used, or if another recorder in any process
  ///   uses it.
  public convenience init(folder: URL, version: String? = nil, metaData: PayloadMetaData = .current) throws {
    try self.init(folder: folder, version: version ?? PayloadMetaData.currentVersion, of: metaData)
  }
}
