import Platform

/// Finds the rotated files beside a path and compares them with what was read.
struct SiblingInspector {
  let path: String
  let fileSystem: any TailFileSystem

  struct Findings {
    /// The rotated files; opened unless known.
    var siblings: [InspectedFile] = []
    /// The file under the path, if requested.
    var path: InspectedFile?
    var held = HeldFindings()

    /// Searches all files for lines, unless one of them has the mark after them: rarely needed, and the files may be
    /// large.
    mutating func search(for sought: SoughtLines, besides mark: Int, _ finder: ByteFinder) {
      guard path?.matches.contains(mark) != true, siblings.allSatisfy({ !$0.matches.contains(mark) }) else {
        return
      }
      func survivors(_ file: InspectedFile) -> TailPlace? {
        file.token.flatMap { try? finder.place(of: [sought], in: $0) }
      }
      if let file = path { path?.survivors = survivors(file) }
      for index in siblings.indices { siblings[index].survivors = survivors(siblings[index]) }
    }
  }

  func inspect(_ request: TailInspection) -> Findings {
    var found = Findings()
    var ours = request.held
    if let token = request.path, let status = try? fileSystem.fullStatus(of: token) {
      ours.insert(status.identity)
      found.path = InspectedFile(
        name: "", status: status, token: token, matches: (try? matches(request.marks, token, status)) ?? [])
    }
    if let front = request.front { found.held.isFrontCut = isCut(front) }
    for place in places() {
      for name in (try? fileSystem.rotated(place.name, in: place.directory)) ?? [] {
        let path = PathParts.join(place.directory, name)
        guard let seen = try? fileSystem.status(ofPath: path), seen.kind == .regular else { continue }
        if ours.contains(seen.identity) { found.held.rotated.insert(seen.identity) }
        guard !ours.contains(seen.identity), let file = look(path, name, seen, request, ours) else {
          continue
        }
        if found.siblings.contains(where: { $0.status.identity == file.status.identity }) {
          if let token = file.token { fileSystem.close(token) }
        } else {
          found.siblings.append(file)
        }
      }
    }
    if let sought = request.sought {
      found.search(for: sought, besides: request.marks.count - 1, ByteFinder(fileSystem: fileSystem))
    }
    return found
  }

  private func isCut(_ place: HeldPlace) -> Bool {
    guard let status = try? fileSystem.status(of: place.file) else { return false }
    guard status.size >= place.mark.offset else { return true }
    return (try? ByteFinder(fileSystem: fileSystem).has(place.mark, in: place.file)) == false
  }

  /// Places where rotated files may be: beside the path, and beside the file that it resolves to.
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
    _ path: String, _ name: String, _ seen: FileStatus, _ request: TailInspection, _ ours: Set<FileIdentity>
  ) -> InspectedFile? {
    if request.known.contains(FileFingerprint(seen)) { return InspectedFile(name: name, status: seen) }
    guard let token = try? fileSystem.open(path) else { return nil }
    guard let status = try? fileSystem.fullStatus(of: token), status.kind == .regular,
      !ours.contains(status.identity)
    else {
      fileSystem.close(token)
      return nil
    }
    if request.isBaseline {
      defer { fileSystem.close(token) }
      return InspectedFile(name: name, status: status, end: end(of: token, status))
    }
    // A file that cannot be compared must not count as a new one; the next check finds it again.
    do throws(FileFailure) {
      let matches = try matches(request.marks, token, status)
      var file = InspectedFile(name: name, status: status, token: token, matches: matches)
      if let front = request.front { file.isPrefix = try isPrefix(token, status, of: front) }
      return file
    } catch {
      fileSystem.close(token)
      return nil
    }
  }

  /// True if a file is a prefix of another one: an earlier copy, or one in progress.
  private func isPrefix(
    _ file: FileToken, _ status: FileStatus, of front: HeldPlace
  ) throws(FileFailure) -> Bool {
    // The shorter the file, the weaker the evidence: two files may start with the same lines.
    guard status.size < front.mark.offset, status.size >= UInt64(TailMark.reach) else { return false }
    let start = status.size - min(status.size, UInt64(TailMark.limit))
    return try ByteFinder(fileSystem: fileSystem).areEqual(file, front.file, in: start..<status.size)
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

  private func end(of token: FileToken, _ status: FileStatus) -> TailPlace? {
    let place = try? ByteFinder(fileSystem: fileSystem).place(at: status.size, in: token)
    return place.flatMap { $0.mark.offset == status.size && !$0.mark.isEmpty ? $0 : nil }
  }
}
