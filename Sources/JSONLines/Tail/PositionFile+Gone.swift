import Platform

extension PositionFile {
  /// Seconds until the position of a missing path is dropped: 30 days.
  package static let longestAbsence: Int64 = 30 * 86_400

  /// Drops the positions of paths missing for ``longestAbsence``, and records when others went missing.
  ///
  /// A rotated file is missing for a moment, and one that its program writes once a week for days. A path on an
  /// unmounted volume proves nothing, however long that lasts, nor does one that may not be looked up.
  ///
  /// - Parameter now: Seconds since 1970.
  package mutating func dropGone(now: Int64, in fileSystem: some TailFileSystem = PosixFileSystem()) {
    for (path, position) in positions {
      guard Self.isGone(path, position, in: fileSystem) else {
        missing[path] = nil
        continue
      }
      let since = min(missing[path] ?? now, now)
      missing[path] = since
      guard since <= now - Self.longestAbsence, !Self.isRotated(path, position, in: fileSystem) else {
        continue
      }
      positions[path] = nil
      missing[path] = nil
    }
  }

  /// True if the path does not exist although its volume is mounted: a folder on the same device exists.
  private static func isGone(
    _ path: PathKey, _ position: TailPosition, in fileSystem: some TailFileSystem
  ) -> Bool {
    var place = path.text
    while true {
      do throws(FileFailure) {
        let status = try fileSystem.status(ofPath: place)
        return place != path.text && status.identity.device == position.identity.device
      } catch {
        let folder = PathParts(place).directory
        guard error.kind == .missing, folder != place else { return false }
        place = folder
      }
    }
  }

  /// True if the file still exists beside its path, under a rotated name.
  private static func isRotated(
    _ path: PathKey, _ position: TailPosition, in fileSystem: some TailFileSystem
  ) -> Bool {
    let parts = PathParts(path.text)
    let names = (try? fileSystem.rotated(parts.name, in: parts.directory)) ?? []
    return names.contains {
      (try? fileSystem.status(ofPath: PathParts.join(parts.directory, $0)))?.identity == position.identity
    }
  }
}
