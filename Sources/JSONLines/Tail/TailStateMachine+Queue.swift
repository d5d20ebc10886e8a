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
    // While it waited, the next file may have been copied and truncated.
    step = .promoting
    return actions + [.inspectSiblings(inspection(path: nil))]
  }

  /// The rotated files were inspected before reading of the file under the path starts.
  mutating func promote(after found: [InspectedFile], _ held: HeldFindings) -> [TailAction] {
    let (unread, actions) = sortOut(found, cut: nil, gone: gone(found, held))
    for copy in unread where !segments.isEmpty {
      segments[0].lost -= min(segments[0].lost, copy.status.size - min(copy.status.size, copy.offset))
    }
    segments.insert(contentsOf: unread, at: 0)
    return actions + promoteFront()
  }

  /// Starts reading the file that has become the first.
  mutating func promoteFront() -> [TailAction] {
    guard let front = segments.first else { return [] }
    let sought = sought(in: front).filter { !$0.lines.hashes.isEmpty }
    guard !sought.isEmpty else { return beginFront(at: nil) }
    step = .searching
    return [.search(front.token, sought)]
  }

  /// A new file was searched for the lines read last.
  package mutating func linesSearched(_ token: FileToken, found place: TailPlace?) -> [TailAction] {
    guard step == .searching, let front = segments.first, front.token == token else { return [] }
    step = .idle
    return beginFront(at: place)
  }

  /// Lines already read that may occur in a file about to be read.
  private func sought(in segment: TailSegment) -> [SoughtLines] {
    switch segment.former {
    case .none:
      return []
    case .gone(let files):
      return finished.filter { files.contains($0.status.identity) && $0.lines.areTelling }.compactMap {
        file in
        guard file.status.links > 0 || file.proof(for: segment.status) != nil else { return nil }
        return SoughtLines(lines: file.lines, proof: LastLines.proof, needsLast: true)
      }
    case .file(let identity):
      guard let former = finished.last(where: { $0.status.identity == identity }),
        let proof = former.proof(for: segment.status)
      else { return [] }
      return [SoughtLines(lines: former.lines, proof: proof)]
    }
  }

  /// Begins to read the oldest segment.
  ///
  /// - Parameter place: the place to resume at, if the file still has the lines read before.
  private mutating func beginFront(at place: TailPlace?) -> [TailAction] {
    guard !segments.isEmpty else { return [] }
    if let place {
      segments[0].begin(at: place)
      segments[0].restart = .compacted
      for index in segments.indices { segments[index].mayBeOverwritten = false }
    }
    let front = segments[0]
    (segments[0].isPlaceLost, segments[0].mayBeOverwritten) = (false, false)
    segments[0].former = .none
    segments[0].restart = nil
    segments[0].lost = 0
    let announcement = front.restart.map { TailAction.restart(TailRestart(reason: $0, offset: front.offset)) }
    var lost: [TailAction] = []
    if front.isPlaceLost { lost.append(.report(TailGap(reason: .placeLost, bytes: 0))) }
    if front.mayBeOverwritten { lost.append(.report(TailGap(reason: .overwritten, bytes: 0))) }
    return lost + gap(.truncated, front.lost) + (announcement.map { [$0] } ?? []) + [.examine(front.token)]
  }

  /// Keeps what is needed to recognize a file after it was closed.
  mutating func remember(_ segment: TailSegment, wasCut: Bool = false) {
    if !segment.isRevisited { left = TailPosition(segment) }
    finished.append(FinishedFile(segment, wasCut: wasCut))
    if finished.count > FinishedFile.capacity { finished.removeFirst() }
    if segment.status.size == segment.end { known.insert(FileFingerprint(segment.status)) }
  }
}
