import Platform

// Rotated files that a process may still write to because it has not noticed the rotation.
extension TailStateMachine {
  /// A file that was read to its end and left for the next one, but is still open.
  struct LateFile: Hashable, Sendable {
    var segment: TailSegment
    /// The record of it among the finished files.
    let finished: FinishedFile?
  }

  /// Leaves a file that was read to its end: it stays open for a while, unless it cannot grow or was deleted.
  mutating func leave(_ segment: TailSegment) -> [TailAction] {
    remember(segment)
    guard segment.mayGrow || segment.isRevisited, segment.status.links > 0, !handlesAreNames else {
      return [.close(segment.token)]
    }
    late.append(LateFile(segment: segment, finished: finished.last))
    wakeBy(now + options.latePoll)
    guard late.count > options.lateFiles else { return [] }
    return [.close(late.removeFirst().segment.token)]
  }

  /// Closes all files that were left, or one of them.
  mutating func closeLate(_ identity: FileIdentity? = nil) -> [TailAction] {
    let isClosed = { (file: LateFile) in identity.map { file.segment.status.identity == $0 } ?? true }
    defer { late.removeAll(where: isClosed) }
    return late.filter(isClosed).map { .close($0.segment.token) }
  }

  /// A file that was left was examined: if it has grown, it is read before the current file.
  mutating func lateExamined(_ index: Int, _ result: Result<FileStatus, FileFailure>) -> [TailAction] {
    var file = late[index]
    guard case .success(let status) = result, status.size >= file.segment.offset,
      status.identity == file.segment.status.identity
    else {
      late.remove(at: index)
      return [.close(file.segment.token)]
    }
    guard status.size > file.segment.end else {
      let end = file.segment.lastGrowth + options.latePeriod
      guard now < end, status.links > 0 else {
        late.remove(at: index)
        return [.close(file.segment.token)]
      }
      wakeBy(min(end, now + options.latePoll))
      return []
    }
    guard step == .idle else {
      wakeBy(now + options.latePoll)
      return []
    }
    late.remove(at: index)
    // It is remembered again, with what is now read.
    if let known = file.finished, let place = finished.lastIndex(of: known) { finished.remove(at: place) }
    known.remove(FileFingerprint(file.segment.status))
    file.segment.status = status
    file.segment.lastGrowth = now
    file.segment.isRevisited = true
    file.segment.mayGrow = false
    file.segment.rewindToLineStart()
    file.segment.restart = .resumed
    if let front = segments.first, front.restart == nil, front.former == .none {
      // The receiver takes the lines of one file at a time, so a half line is read again.
      segments[0].rewindToLineStart()
      segments[0].restart = .resumed
    }
    segments.insert(file.segment, at: 0)
    return promoteFront()
  }
}
