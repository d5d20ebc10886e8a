import Essentials
import Foundation
public import TelemetryCore

extension PayloadMetaData {
  /// The app and device of this process: system, model, processor, region, build and identifier of the app.
  ///
  /// Outside Apple's systems the system is named as its kernel names itself: `Linux 6.1.0`.
  public static var current: PayloadMetaData {
    var data = PayloadMetaData()
    let machine = Self.machine
    data.osVersion = "\(systemName) \(systemVersion)"
    data.platformArchitecture = machine.hardware
    data.deviceType = machine.hardware
    // The world as a region, as where no locale is set, is none.
    data.regionFormat = Locale.current.region.flatMap { $0.identifier.count == 2 ? $0.identifier : nil }
    data.applicationBuildVersion = Bundle.main.infoDictionary?["CFBundleVersion"] as? String
    data.bundleIdentifier = Bundle.main.bundleIdentifier
    return data
  }

  /// The version of the main bundle, nil if it has none.
  static var currentVersion: String? {
    let keys = ["CFBundleShortVersionString", "CFBundleVersion"]
    return keys.lazy.compactMap { Bundle.main.infoDictionary?[$0] as? String }.first { !$0.isEmpty }
  }

  private static var systemName: String {
    #if os(macOS)
      "macOS"
    #elseif os(iOS)
      "iPhone OS"
    #else
      machine.system
    #endif
  }

  private static var systemVersion: String {
    #if canImport(Darwin)
      let version = ProcessInfo.processInfo.operatingSystemVersion
      return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    #else
      machine.release
    #endif
  }

  /// The names that the kernel gives.
  private static var machine: (system: String, release: String, hardware: String) {
    var names = utsname()
    guard uname(&names) == 0 else { return ("", "", "") }
    return (text(names.sysname), text(names.release), text(names.machine))
  }

  /// The text in an array of C, which Swift sees as a tuple.
  private static func text<Tuple>(_ tuple: Tuple) -> String {
    withUnsafeBytes(of: tuple) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
