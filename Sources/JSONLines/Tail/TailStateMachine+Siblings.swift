import Platform

extension TailStateMachine {
  /// The rotated files beside the path were looked at.
  ///
  /// - Parameter path: the newly opened file under the path, where the inspection named one.
  package mutating func siblingsInspected(_ found: [InspectedFile], path: InspectedFile?) -> [TailAction] {
    let awaited = step
    step = .idle
    switch awaited {
    case .baseline:
      known = Set(found.map { FileFingerprint($0.status) })
      finished = found.compactMap(\.end).suffix(FinishedFile.capacity).map { FinishedFile(end: $0) }
      return begin()
    case .opening(let token, let status):
      if let resumption { return resume(after: resumption, token, status, path?.matches ?? [], found) }
      return queue(token, status, path?.matches ?? [], after: found)
    case .cut:
      return resolveCut(found)
    case .promoting:
      return promote(after: found)
    case .idle, .refreshing, .comparing, .window, .cuttingBack, .searching:
      return found.compactMap(\.token).map { .close($0) }
    }
  }

  func baseline() -> TailInspection {
    TailInspection(
      marks: [], known: [], held: heldIdentities, path: nil, isBaseline: true)
  }

  private var heldIdentities: Set<FileIdentity> {
    Set(segments.map(\.status.identity) + late.map(\.segment.status.identity))
  }

  func inspection(path: FileToken?) -> TailInspection {
    TailInspection(
      marks: askedMarks().map(\.mark), known: known, held: heldIdentities, path: path, isBaseline: false)
  }

  /// The first file was opened and what is beside it was noted.
  private mutating func begin() -> [TailAction] {
    guard let front = segments.first else { return [] }
    if case .window(let bytes) = options.start, front.status.size > bytes {
      step = .window
      segments[0].restart = nil
      return [.findLineStart(front.token, before: front.status.size - bytes)]
    }
    return promoteFront()
  }

  /// A new file is under the path: first what was rotated since, then this.
  private mutating func queue(
    _ token: FileToken, _ status: FileStatus, _ matches: [Int], after found: [InspectedFile]
  ) -> [TailAction] {
    var (unread, actions) = sortOut(found, cut: nil)
    let previousLinks = segments.last?.status.links ?? finished.last?.links ?? 1
    if previousLinks == 0, !unread.isEmpty {
      actions.append(.report(TailGap(reason: .overwritten, bytes: 0)))
    }
    var segment = TailSegment(
      token: token, status: status, now: now, restart: previousLinks == 0 ? .recreated : .rotated)
    if previousLinks == 0 { segment.lastLine = .ofPredecessor }
    switch verdict(matches, size: status.size, cut: nil) {
    case .read(let file, _):
      segment.goOn(after: file.trail, restart: .resumed)
      segment.lastLine = .none
    case .isCopyOfHeld:
      segment.lastLine = .ofPredecessor
    case .isNew, .continues:
      break
    }
    unread.append(segment)
    // What waits behind unread files could not be compared with them: it may be a copy of one.
    let wasEmpty = segments.isEmpty
    for index in unread.indices where (index > 0 || !wasEmpty) && unread[index].offset == 0 {
      unread[index].lastLine = .ofPredecessor
    }
    if !hasFollowed { unread[0].restart = .began }
    hasFollowed = true
    segments += unread
    return wasEmpty ? actions + promoteFront() : actions
  }

  /// Splits rotated files in those to read, in the order they were written, and those that were read.
  mutating func sortOut(
    _ found: [InspectedFile], cut: TailSegment?
  ) -> (unread: [TailSegment], actions: [TailAction]) {
    var unread: [(segment: TailSegment, order: RotationOrder)] = []
    var actions: [TailAction] = []
    known.formIntersection(
      found.map { FileFingerprint($0.status) } + late.map { FileFingerprint($0.segment.status) })
    for file in found {
      guard let token = file.token else { continue }
      var segment = TailSegment(token: token, status: file.status, now: now, restart: .rotated)
      segment.supersededAt = now
      switch verdict(file.matches, size: file.status.size, cut: cut) {
      case .isNew:
        break
      case .continues:
        segment.goOn(after: cut?.trail ?? TailMarkTrail(), restart: .continued)
        segment.mayGrow = false
      case .read(let file, let hasMore) where hasMore:
        segment.goOn(after: file.trail, restart: .resumed)
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
