import Platform

/// Finds the rotated files beside a path and compares them with what was read.
struct SiblingInspector {
  let path: String
  let fileSystem: any TailFileSystem

  /// - Returns: the rotated files, open unless known; and the file under the path, where it was asked for.
  func inspect(_ request: TailInspection) -> (siblings: [InspectedFile], path: InspectedFile?) {
    var held = request.held
    var path: InspectedFile?
    if let token = request.path, let status = try? fileSystem.status(of: token) {
      held.insert(status.identity)
      path = InspectedFile(
        name: "", status: status, token: token, matches: (try? matches(request.marks, token, status)) ?? [])
    }
    var siblings: [InspectedFile] = []
    for place in places() {
      for name in (try? fileSystem.rotated(place.name, in: place.directory)) ?? [] {
        guard let file = look(PathParts.join(place.directory, name), name, request, held) else { continue }
        if siblings.contains(where: { $0.status.identity == file.status.identity }) {
          if let token = file.token { fileSystem.close(token) }
        } else {
          siblings.append(file)
        }
      }
    }
    return (siblings, path)
  }

  /// Where rotated files may be: beside the path, and beside the file that it leads to.
  private func places() -> Set<PathParts> {
    var places: Set = [PathParts(path)]
    if let resolved = try? fileSystem.resolved(path) {
      let target = PathParts(resolved)
      let directory = try? fileSystem.resolved(PathParts(path).directory)
      let isSame = directory.map { PathKey($0) } == PathKey(target.directory)
      if !isSame || PathKey(PathParts(path).name) != PathKey(target.name) { places.insert(target) }
    }
    return places
  }

  private func look(
    _ path: String, _ name: String, _ request: TailInspection, _ held: Set<FileIdentity>
  ) -> InspectedFile? {
    guard let seen = try? fileSystem.status(ofPath: path), seen.kind == .regular,
      !held.contains(seen.identity)
    else { return nil }
    if request.known.contains(FileFingerprint(seen)) { return InspectedFile(name: name, status: seen) }
    guard let token = try? fileSystem.open(path) else { return nil }
    guard let status = try? fileSystem.status(of: token), status.kind == .regular,
      !held.contains(status.identity)
    else {
      fileSystem.close(token)
      return nil
    }
    if request.isBaseline {
      defer { fileSystem.close(token) }
      return InspectedFile(name: name, status: status, end: end(of: token, status))
    }
    // A file that cannot be compared must not be taken for a new one; it is found again at the next look.
    guard let matches = try? matches(request.marks, token, status) else {
      fileSystem.close(token)
      return nil
    }
    return InspectedFile(name: name, status: status, token: token, matches: matches)
  }

  private func matches(
    _ marks: [TailMark], _ token: FileToken, _ status: FileStatus
  ) throws(FileFailure) -> [Int] {
    let finder = ByteFinder(fileSystem: fileSystem)
    var found: [Int] = []
    for (index, mark) in marks.enumerated() where mark.offset <= status.size {
      if try finder.has(mark, in: token) { found.append(index) }
    }
    return found
  }

  private func end(of token: FileToken, _ status: FileStatus) -> TailMark? {
    let mark = try? ByteFinder(fileSystem: fileSystem).mark(at: status.size, in: token)
    return mark.flatMap { $0.offset == status.size && !$0.isEmpty ? $0 : nil }
  }
}
