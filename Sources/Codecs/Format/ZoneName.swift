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

  /// The known name that was probably meant: one with this last part, or spelled similarly.
  package static func closest(to word: String) -> String? {
    let known = known
    let wanted = word.lowercased().replacing(" ", with: "_")
    let same = known.filter { $0.lowercased() == wanted || $0.lowercased().hasSuffix("/" + wanted) }
    if let name = same.min(by: { ($0.count, $0) < ($1.count, $1) }) { return name }
    return Suggestion.closest(to: wanted, among: known)
      ?? known.first { name in
        name.split(separator: "/").last.map { Suggestion.closest(to: wanted, among: [String($0)]) != nil }
          ?? false
      }
  }

  /// All names that the system knows, sorted; empty without the table of them.
  package static var known: [String] {
    guard let table = try? Posix.head(of: "/usr/share/zoneinfo/tzdata.zi", 1 << 20) else { return [] }
    return table.split(separator: UInt8(ascii: "\n")).compactMap { line -> String? in
      let words = line.split(separator: UInt8(ascii: " "))
      // `Z NAME …` is a zone, `L ZONE NAME` another name of one.
      let place = words.first.flatMap {
        $0.elementsEqual("Z".utf8) ? 1 : $0.elementsEqual("L".utf8) ? 2 : nil
      }
      return place.flatMap { words.indices.contains($0) ? String(decoding: words[$0], as: UTF8.self) : nil }
    }.sorted()
  }

  /// Removes a leading colon and the folder of all zones from a name.
  private static func named(_ text: String) -> String? {
    var name = Substring(text.hasPrefix(":") ? String(text.dropFirst()) : text)
    if let folder = name.firstRange(of: "/zoneinfo/") { name = name[folder.upperBound...] }
    return name.isEmpty || name.hasPrefix("/") ? nil : String(name)
  }
}
