import Platform

extension TailStateMachine {
  /// A truncated file with fewer bytes left than this counts as started over; if it was not, these bytes are read
  /// twice.
  private static let leastLeft: UInt64 = 64 << 10

  /// The first file is shorter than the part that was read, or ends differently.
  ///
  /// Perhaps only its last bytes were removed, as a writer does after a partial write.
  mutating func frontShrank() -> [TailAction] {
    guard let front = segments.first, let mark = front.trail.last(within: front.status.size) else {
      return frontWasCut()
    }
    // If complete lines are gone, it may also have been truncated and restarted with the same lines.
    let isTelling = !front.trail.isHead(mark) && front.status.size >= Self.leastLeft
    if mark != front.trail.last, !isTelling { return frontWasCut() }
    step = .comparing
    return [.compare(front.token, mark)]
  }

  /// The bytes of a mark were compared with the file.
  package mutating func markCompared(_ token: FileToken, _ isEqual: Bool) -> [TailAction] {
    guard step == .comparing || step == .verifying, let front = segments.first, front.token == token
    else { return [] }
    if step == .verifying {
      step = .idle
      guard isEqual else { return front.halfLine > 0 ? frontShrank() : frontWasCut() }
      segments[0].headVerified = front.status.modified
      return continueFront()
    }
    step = .idle
    guard isEqual else { return frontWasCut() }
    step = .cuttingBack
    return [.findLineStart(token, before: min(front.status.size, front.lineStart))]
  }

  /// A line start was found, along with what precedes it.
  package mutating func lineStartFound(_ token: FileToken, _ place: TailPlace) -> [TailAction] {
    let mark = place.mark
    let awaited = step
    step = .idle
    guard let front = segments.first, front.token == token else { return [] }
    switch awaited {
    case .window:
      segments[0].begin(at: place)
      return [
        .restart(TailRestart(reason: .began, offset: mark.offset)), .offerEarlier(token, end: mark.offset),
      ]
        + continueFront()
    case .cuttingBack:
      segments[0].begin(at: place)
      segments[0].lost = 0
      // A reader that keeps complete lines which were then removed must read the rest again.
      let earlier: [TailAction] =
        mark.offset < front.lineStart ? [.offerEarlier(token, end: mark.offset)] : []
      return gap(.truncated, front.lost) + [.restart(TailRestart(reason: .cutBack, offset: mark.offset))]
        + earlier + continueFront()
    case .idle, .refreshing, .baseline, .opening, .cut, .comparing, .verifying, .searching, .promoting:
      return []
    }
  }

  /// The first file no longer has the lines that were read.
  mutating func frontWasCut() -> [TailAction] {
    step = .cut
    return [.inspectSiblings(inspection(path: nil))]
  }

  /// The rotated files were inspected after a truncation: a copy made before it has what is missing.
  mutating func resolveCut(_ found: [InspectedFile], _ held: HeldFindings) -> [TailAction] {
    guard var front = segments.first else { return found.compactMap(\.token).map { .close($0) } }
    var (unread, actions) = sortOut(found, cut: front, gone: gone(found, held))
    var lost = front.lost
    if front.isSuperseded {
      // A file beside one that was renamed away is newer: it is found again in its turn.
      actions += unread.filter { $0.restart != .continued }.map { .close($0.token) }
      unread.removeAll { $0.restart != .continued }
    }
    // The path still refers to the truncated file, so the file beside it is a copy that no one writes to; unless the
    // descriptor followed the name to another file.
    for index in unread.indices { unread[index].mayGrow = front.isReplaced }
    let copy = unread.firstIndex { $0.restart == .continued }
    if let copy {
      let segment = unread.remove(at: copy)
      lost -= min(lost, segment.status.size - min(segment.status.size, front.offset))
      unread.insert(segment, at: 0)
    } else {
      actions += gap(.halfLine, front.halfLine)
    }
    remember(front, wasCut: copy == nil)
    let replaced: TailRestart.Reason = copy == nil ? .recreated : .rotated
    front.beginNewEpoch(restart: front.isReplaced ? replaced : .truncated)
    front.isReplaced = false
    segments.replaceSubrange(0..<1, with: unread + [front])
    return actions + gap(.truncated, lost) + promoteFront()
  }

  /// A gap, unless it is empty.
  func gap(_ reason: TailGap.Reason, _ bytes: UInt64) -> [TailAction] {
    bytes > 0 ? [.report(TailGap(reason: reason, bytes: bytes))] : []
  }
}
