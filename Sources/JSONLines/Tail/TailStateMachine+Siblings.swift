import Platform

extension TailStateMachine {
  /// Maximum number of remembered files that are missing.
  private static let keptMissing = 1024

  /// The rotated files beside the path were inspected.
  ///
  /// - Parameters:
  ///   - path: The newly opened file under the path, if the inspection named one.
  ///   - held: The results for the files that are held open.
  package mutating func siblingsInspected(
    _ found: [InspectedFile], path: InspectedFile?, held: HeldFindings = HeldFindings()
  ) -> [TailAction] {
    let awaited = step
    step = .idle
    switch awaited {
    case .baseline:
      known = Set(found.map { FileFingerprint($0.status) })
      let ends = found.compactMap { file in file.end.map { FinishedFile(end: $0, file.status) } }
      finished = ends.suffix(FinishedFile.capacity)
      return begin()
    case .opening(let token, let status):
      let path = path ?? InspectedFile(name: "", status: status, token: token)
      if let resumption { return resume(after: resumption, token, path, found) }
      return queue(token, status, path, after: found, held)
    case .cut:
      return resolveCut(found, held)
    case .promoting:
      return promote(after: found, held)
    case .idle, .refreshing, .comparing, .verifying, .window, .cuttingBack, .searching:
      return found.compactMap(\.token).map { .close($0) }
    }
  }

  func baseline() -> TailInspection {
    TailInspection(
      marks: [], known: [], held: heldIdentities, path: nil, front: nil, isBaseline: true)
  }

  private var heldIdentities: Set<FileIdentity> {
    Set(segments.map(\.status.identity) + late.map(\.segment.status.identity))
  }

  func inspection(path: FileToken?) -> TailInspection {
    let front = segments.first.flatMap { front in
      front.trail.last.flatMap { $0.isTelling ? HeldPlace(file: front.token, mark: $0) : nil }
    }
    return TailInspection(
      marks: resumption?.marks ?? askedMarks, known: known,
      held: heldIdentities, path: path, front: front, sought: resumption.flatMap(\.sought), isBaseline: false)
  }

  /// The first file was opened, and what is beside it was recorded.
  private mutating func begin() -> [TailAction] {
    guard let front = segments.first else { return [] }
    if case .window(let bytes) = options.start, front.status.size > bytes {
      step = .window
      segments[0].restart = nil
      return [.findWindow(front.token, size: front.status.size, bytes: bytes)]
    }
    return promoteFront()
  }

  /// A new file is under the path: it is queued after the files rotated since.
  private mutating func queue(
    _ token: FileToken, _ status: FileStatus, _ path: InspectedFile, after found: [InspectedFile],
    _ held: HeldFindings
  ) -> [TailAction] {
    var (unread, actions) = sortOut(
      found, cut: nil, isFrontCut: held.isFrontCut, gone: gone(found + [path], held))
    let previous = segments.last?.status ?? finished.last?.status
    let wasDeleted = previous?.links == 0
    var segment = TailSegment(
      token: token, status: status, now: now, restart: wasDeleted ? .recreated : .rotated)
    segment.mayBeOverwritten = wasDeleted && !unread.isEmpty
    if let file = earlierReading(of: path) {
      segment.goOn(after: file.trail, file.lines, restart: .resumed)
    } else if let previous, !held.rotated.contains(previous.identity) {
      // It was not renamed by a rotation: its replacement may be the rest of it. Only when its turn comes is it known
      // to be gone, because it may briefly have another name.
      segment.former = .file(previous.identity)
    }
    unread.append(segment)
    let wasEmpty = segments.isEmpty
    if !hasFollowed { unread[0].restart = .began }
    hasFollowed = true
    segments += unread
    return wasEmpty ? actions + promoteFront() : actions
  }

  /// Files that were read and have none of the inspected names.
  func gone(_ found: [InspectedFile], _ held: HeldFindings) -> Set<FileIdentity> {
    let read = segments.filter(\.isSuperseded).map { FinishedFile($0) } + finished
    return Set(
      read.filter { file in
        !held.rotated.contains(file.status.identity) && !found.contains { file.isSame(as: $0.status) }
      }.map(\.status.identity))
  }

  /// Forgets known files that are missing, once there are many.
  ///
  /// A file renamed between the listing of the folder and its inspection goes unseen, and would be read again at a
  /// later look. Another file with the number, size and nanosecond timestamp of one that is gone is not to be expected.
  private mutating func forget(allBut found: [InspectedFile]) {
    let missing = known.subtracting(
      found.map { FileFingerprint($0.status) } + late.map { FileFingerprint($0.segment.status) })
    if missing.count > Self.keptMissing { known.subtract(missing) }
  }

  /// Splits rotated files into those to read, in the order in which they were written, and those already read.
  mutating func sortOut(
    _ found: [InspectedFile], cut: TailSegment?, isFrontCut: Bool = false, gone: Set<FileIdentity>
  ) -> (unread: [TailSegment], actions: [TailAction]) {
    var unread: [(segment: TailSegment, order: RotationOrder)] = []
    var actions: [TailAction] = []
    forget(allBut: found)
    for file in found {
      guard let token = file.token else { continue }
      var segment = TailSegment(token: token, status: file.status, now: now, restart: .rotated)
      segment.supersededAt = now
      switch verdict(file, cut: cut, isFrontCut: isFrontCut) {
      case .isNew:
        if !gone.isEmpty { segment.former = .gone(gone) }
      case .continues:
        segment.goOn(
          after: cut?.trail ?? TailMarkTrail(), cut?.lastPlace.lines ?? LastLines(), restart: .continued)
        segment.mayGrow = false
      case .read(let file, let hasMore) where hasMore:
        segment.goOn(after: file.trail, file.lines, restart: .resumed)
      case .isCopyOfHeld(let mayHaveMore) where mayHaveMore:
        actions.append(.close(token))
        continue
      case .read, .isCopyOfHeld:
        known.insert(FileFingerprint(file.status))
        actions.append(.close(token))
        continue
      }
      unread.append((segment, RotationOrder(modified: file.status.modified, name: file.name)))
    }
    return (unread.sorted { $0.order < $1.order }.map(\.segment), actions)
  }
}
