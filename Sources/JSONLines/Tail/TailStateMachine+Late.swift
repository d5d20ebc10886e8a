import Platform

// Rotated files that a process may still write to, because it has not noticed the rotation.
extension TailStateMachine {
  /// A file that was read to its end, left for the next one, and is still open.
  struct LateFile: Hashable, Sendable {
    var segment: TailSegment
    /// As what it is remembered.
    let finished: FinishedFile?
  }

  /// Leaves a file that was read to its end: it stays open for a while, unless no one writes it or it was deleted.
  mutating func leave(_ segment: TailSegment) -> [TailAction] {
    remember(segment)
    guard segment.mayGrow || segment.isRevisited, segment.status.links > 0 else {
      return [.close(segment.token)]
    }
    late.append(LateFile(segment: segment, finished: finished.last))
    wakeBy(now + options.latePoll)
    guard late.count > options.lateFiles else { return [] }
    return [.close(late.removeFirst().segment.token)]
  }

  /// Closes all that was left, or one file of it.
  mutating func closeLate(_ identity: FileIdentity? = nil) -> [TailAction] {
    let isClosed = { (file: LateFile) in identity.map { file.segment.status.identity == $0 } ?? true }
    defer { late.removeAll(where: isClosed) }
    return late.filter(isClosed).map { .close($0.segment.token) }
  }

  /// A file that was left was looked at: where it has grown it is read on, before what is being read now.
  mutating func lateExamined(_ index: Int, _ result: Result<FileStatus, FileFailure>) -> [TailAction] {
    var file = late[index]
    guard case .success(let status) = result, status.size >= file.segment.offset else {
      late.remove(at: index)
      return [.close(file.segment.token)]
    }
    guard status.size > file.segment.offset else {
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
    // It is remembered again with what is read now.
    if let known = file.finished, let place = finished.lastIndex(of: known) { finished.remove(at: place) }
    known.remove(FileFingerprint(file.segment.status))
    file.segment.status = status
    file.segment.lastGrowth = now
    file.segment.isRevisited = true
    file.segment.mayGrow = false
    file.segment.rewindToLineStart()
    file.segment.restart = .resumed
    if let front = segments.first, front.restart == nil, front.former == .none {
      // The receiver takes lines of one file at a time: a half line is read again.
      segments[0].rewindToLineStart()
      segments[0].restart = .resumed
    }
    segments.insert(file.segment, at: 0)
    return promoteFront()
  }
}
