import Essentials
import Platform

/// The name of the system's time zone, such as `Europe/Berlin`; the C library has offsets and abbreviations alone.
package enum ZoneName {
  /// The name as `TZ` or the link `/etc/localtime` has it; `GMT` where neither tells.
  package static var current: String {
    // `TZ` may hold a rule such as `CET-1CEST` too.
    if let variable = ProcessInfo.processInfo.environment["TZ"], let name = named(variable), isKnown(name) {
      return name
    }
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime") else {
      return "GMT"
    }
    return named(path) ?? "GMT"
  }

  /// True for the names of the system's zones.
  package static func isKnown(_ name: String) -> Bool {
    guard !name.isEmpty, !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
      return false
    }
    return Posix.status(at: "/usr/share/zoneinfo/" + name)?.kind == .regular
  }

  /// A name, or one behind the folder of all zones, without the colon that may stand before it.
  private static func named(_ text: String) -> String? {
    var name = Substring(text.hasPrefix(":") ? String(text.dropFirst()) : text)
    if let folder = name.firstRange(of: "/zoneinfo/") { name = name[folder.upperBound...] }
    return name.isEmpty || name.hasPrefix("/") ? nil : String(name)
  }
}
