/// The origin of figures: the app and device data of a payload.
struct FigureOrigin: Codable, Hashable, Sendable {
  /// The app version.
  var version: String?
  var osVersion: String?
  var deviceType: String?
  var regionFormat: String?
  var build: String?
  var architecture: String?
  var bundleIdentifier: String?
  var isTestFlight: Bool?

  /// The origin of what one process records.
  init(version: String?, _ data: PayloadMetaData) {
    self.version = version
    osVersion = data.osVersion
    deviceType = data.deviceType
    regionFormat = data.regionFormat
    build = data.applicationBuildVersion
    architecture = data.platformArchitecture
    bundleIdentifier = data.bundleIdentifier
    isTestFlight = data.isTestFlightApp
  }

  /// The metadata of a payload: without a process identifier, because a day may have had many processes.
  var metaData: PayloadMetaData {
    var data = PayloadMetaData()
    data.osVersion = osVersion
    data.deviceType = deviceType
    data.regionFormat = regionFormat
    data.applicationBuildVersion = build
    data.platformArchitecture = architecture
    data.bundleIdentifier = bundleIdentifier
    data.isTestFlightApp = isTestFlight
    data.pid = -1
    return data
  }
}
