import Essentials
import Foundation
public import TelemetryCore

extension PayloadMetaData {
  /// The app and device of this process: operating system, model, processor, region, build and identifier of the app.
  ///
  /// On other than Apple's systems, the operating system has the kernel's name: `Linux 6.1.0`.
  public static var current: PayloadMetaData {
    var data = PayloadMetaData()
    let machine = Self.machine
    data.osVersion = "\(systemName) \(systemVersion)"
    data.platformArchitecture = machine.hardware
    data.deviceType = machine.hardware
    // The region "world", reported if no locale is set, counts as none.
    data.regionFormat = Locale.current.region.flatMap { $0.identifier.count == 2 ? $0.identifier : nil }
    data.applicationBuildVersion = Bundle.main.infoDictionary?["CFBundleVersion"] as? String
    data.bundleIdentifier = Bundle.main.bundleIdentifier
    return data
  }

  /// The version of the main bundle; `nil` if it has none.
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

  /// The kernel's names.
  private static var machine: (system: String, release: String, hardware: String) {
    var names = utsname()
    guard uname(&names) == 0 else { return ("", "", "") }
    return (text(names.sysname), text(names.release), text(names.machine))
  }

  /// The string in a C array, which Swift imports as a tuple.
  private static func text<Tuple>(_ tuple: Tuple) -> String {
    withUnsafeBytes(of: tuple) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
