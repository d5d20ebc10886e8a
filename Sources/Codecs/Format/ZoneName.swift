import Essentials
import Platform

/// The name of the system's time zone, such as `Europe/Berlin`; the C library has only offsets and abbreviations.
package enum ZoneName {
  /// The name from `TZ` or the link `/etc/localtime`; without either, the current abbreviation.
  package static var current: String {
    if let variable = ProcessInfo.processInfo.environment["TZ"] {
      // `TZ` may also contain a rule such as `CET-1CEST`.
      guard let name = named(variable), isKnown(name) else { return abbreviation }
      return name
    }
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime")
    return path.flatMap(named) ?? abbreviation
  }

  /// Only letters, digits and signs, whatever `TZ` contains.
  private static var abbreviation: String {
    var (now, fields) = (time(nil), tm())
    guard localtime_r(&now, &fields) != nil, let zone = fields.tm_zone else { return "GMT" }
    let text = String(cString: zone)
    let isPlain = text.utf8.allSatisfy { (0x2B...0x7A).contains($0) }
    return isPlain && !text.isEmpty ? text : "GMT"
  }

  /// True for names of zones that the system knows.
  package static func isKnown(_ name: String) -> Bool {
    guard !name.isEmpty, !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
      return false
    }
    // The folder also contains tables and notes.
    return (try? Posix.head(of: "/usr/share/zoneinfo/" + name, 4)) == Array("TZif".utf8)
  }

  /// Removes a leading colon and the folder of all zones from a name.
  private static func named(_ text: String) -> String? {
    var name = Substring(text.hasPrefix(":") ? String(text.dropFirst()) : text)
    if let folder = name.firstRange(of: "/zoneinfo/") { name = name[folder.upperBound...] }
    return name.isEmpty || name.hasPrefix("/") ? nil : String(name)
  }
}
