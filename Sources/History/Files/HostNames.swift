import JSONLines
import Platform

/// Names the hosts of files: a folder with a file for each host is a fleet.
package enum HostNames {
  /// The host of each file: the file's name without folder, ending, rotation and packing.
  ///
  /// Files in different folders that share a name are different hosts, whose names then begin with their folder.
  package static func hosts(ofFiles paths: [String]) -> [String] {
    let known = Set(paths.map { PathKey($0) })
    let originals = paths.map { original(of: $0, among: known) }
    var names = originals.map { stem(PathParts.end(of: $0)) }
    // The last two names of a path, then all of it.
    for count in [2, Int.max] {
      let shared = sharedNames(names, of: originals)
      guard !shared.isEmpty else { break }
      for place in names.indices where shared.contains(names[place]) {
        names[place] = stem(PathParts.end(of: originals[place], names: count))
      }
    }
    return names
  }

  /// The names that files of several originals have.
  private static func sharedNames(_ names: [String], of originals: [String]) -> Set<String> {
    var owners: [String: PathKey] = [:]
    var shared: Set<String> = []
    for (name, original) in zip(names, originals) {
      let key = PathKey(original)
      if owners.updateValue(key, forKey: name).map({ $0 != key }) ?? false { shared.insert(name) }
    }
    return shared
  }

  /// The path that a file had before it was rotated and packed.
  private static func original(of path: String, among known: Set<PathKey>) -> String {
    let plain = RotatedName.unpacked(path)
    let originals = RotatedName.originals(of: plain)
    if let original = originals.first(where: { known.contains(PathKey($0)) }) { return original }
    // `web-01.jsonl` is a host's own name, unless there is a `web.jsonl`; no host is called `web.jsonl.1`.
    guard ending(of: plain) == nil else { return plain }
    return originals.first { ending(of: $0) != nil } ?? plain
  }

  private static func ending(of name: String) -> String? {
    FolderFiles.endings.first { name.hasByteSuffix($0) && name.utf8.count > $0.utf8.count }
  }

  private static func stem(_ name: String) -> String {
    ending(of: name).flatMap { name.droppingByteSuffix($0) } ?? name
  }
}
