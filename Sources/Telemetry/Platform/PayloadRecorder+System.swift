public import Foundation
public import TelemetryCore

extension PayloadRecorder {
  /// A recorder over a folder, which is made if there is none.
  ///
  /// - Parameters:
  ///   - folder: A folder of its own; nothing else should be in it.
  ///   - version: The version of the app; nil for that of the main bundle.
  ///   - metaData: What the payloads say of app and device.
  /// - Throws: `MetricError` with `fileUnavailable` if the folder cannot be used, or another recorder has it, in this
  ///   process or in another.
  public convenience init(folder: URL, version: String? = nil, metaData: PayloadMetaData = .current) throws {
    try self.init(folder: folder, version: version ?? PayloadMetaData.currentVersion, of: metaData)
  }
}
