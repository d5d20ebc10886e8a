import Platform

extension TailStateMachine {
  /// The first file was read to its end and will not grow: the next one is read.
  mutating func finishFront() -> [TailAction] {
    guard !segments.isEmpty else { return [] }
    let front = segments.removeFirst()
    let actions = leave(front) + gap(.halfLine, front.halfLine)
    guard !front.isRevisited, segments.count == 1, !segments[0].isSuperseded else {
      return actions + promoteFront()
    }
    // While it waited, the next file may have been copied and cut.
    step = .promoting
    return actions + [.inspectSiblings(inspection(path: nil))]
  }

  /// The rotated files were looked at before the file under the path is begun.
  mutating func promote(after found: [InspectedFile]) -> [TailAction] {
    let (unread, actions) = sortOut(found, cut: nil)
    for copy in unread where !segments.isEmpty {
      segments[0].lost -= min(segments[0].lost, copy.status.size - min(copy.status.size, copy.offset))
    }
    segments.insert(contentsOf: unread, at: 0)
    return actions + promoteFront()
  }

  /// Begins with the file that has become the first.
  mutating func promoteFront() -> [TailAction] {
    guard let front = segments.first else { return [] }
    guard let mark = lastLine(of: front), mark.isTelling else { return beginFront() }
    segments[0].lastLine = .known(mark)
    step = .searching
    return [.search(front.token, mark)]
  }

  /// The last line that was read was looked for in a new file.
  package mutating func markSearched(_ token: FileToken, foundAt end: UInt64?) -> [TailAction] {
    guard step == .searching, let front = segments.first, front.token == token else { return [] }
    step = .idle
    if let end, let mark = lastLine(of: front) {
      segments[0].begin(at: mark.moved(to: end))
      segments[0].restart = .compacted
    } else if front.isPlaceLost {
      return [.report(TailGap(reason: .placeLost, bytes: 0))] + beginFront()
    }
    return beginFront()
  }

  private mutating func beginFront() -> [TailAction] {
    guard let front = segments.first else { return [] }
    segments[0].lastLine = .none
    segments[0].restart = nil
    segments[0].lost = 0
    let announcement = front.restart.map { TailAction.restart(TailRestart(reason: $0, offset: front.offset)) }
    return gap(.truncated, front.lost) + (announcement.map { [$0] } ?? []) + [.examine(front.token)]
  }

  private func lastLine(of segment: TailSegment) -> TailMark? {
    switch segment.lastLine {
    case .none: nil
    case .ofPredecessor: finished.last?.trail.last
    case .known(let mark): mark
    }
  }

  /// Keeps what is needed to know a file again after it was closed.
  mutating func remember(_ segment: TailSegment) {
    if !segment.isRevisited { left = TailPosition(segment) }
    finished.append(FinishedFile(segment))
    if finished.count > FinishedFile.capacity { finished.removeFirst() }
    if segment.status.size == segment.offset { known.insert(FileFingerprint(segment.status)) }
  }
}
