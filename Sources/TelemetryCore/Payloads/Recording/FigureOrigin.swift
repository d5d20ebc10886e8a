/// Where figures come from: what a payload says of the app and the device.
struct FigureOrigin: Codable, Hashable, Sendable {
  /// The version of the app.
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

  /// The data as a payload has them: without a process, for a day may have had many.
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
