import Platform

extension PositionStore {
  /// True if a path cannot be used as a store because it is, or would be, one of the followed files.
  ///
  /// - Parameter streams: Descriptors that are read or written in addition to the sources.
  package static func isFollowed(_ path: String, by sources: [TailSource], streams: [Int32]) -> Bool {
    let place = Posix.place(of: path)
    let identity = Posix.status(at: place)?.identity
    func isSame(_ other: FileIdentity?) -> Bool { identity != nil && identity == other }
    return streams.contains { isSame(try? Posix.status(of: $0).identity) }
      || sources.contains { source in
        switch source {
        case .file(let file):
          PathKey(Posix.place(of: file)) == PathKey(place) || isSame(Posix.status(at: file)?.identity)
        case .folder(let folder):
          PathKey(Posix.place(of: folder)) == PathKey(PathParts(place).directory)
            && FolderFiles.endings.contains { place.lowercased().hasByteSuffix($0) }
        case .standardInput: false
        }
      }
  }
}
