package import Platform

extension TailStateMachine {
  /// The path was examined.
  package mutating func pathExamined(_ result: Result<FileStatus, FileFailure>) -> [TailAction] {
    if result != .failure(.missing) { missingSince = nil }
    switch result {
    case .failure(.denied):
      // A held file may still be the right one; it is read further.
      return begunWithoutFile() + show(.noPermission)
    case .failure(.missing):
      supersedeLast()
      return begunWithoutFile() + showMissing()
    case .failure(let failure):
      wakeBy(now + options.retryPeriod)
      return show(failure.state)
    case .success(let status) where status.kind != .regular:
      supersedeLast()
      return begunWithoutFile() + show(.notAFile(status.kind))
    case .success(let status):
      if let index = segments.firstIndex(where: { $0.status.identity == status.identity }) {
        return followAgain(index)
      }
      guard let last = segments.last else { return [.openPath] }
      step = .refreshing
      return [.examine(last.token), .openPath]
    }
  }

  /// The path was opened.
  package mutating func pathOpened(_ token: FileToken, _ status: FileStatus) -> [TailAction] {
    exhaustions = 0
    guard status.kind == .regular else {
      supersedeLast()
      return [.close(token)] + show(.notAFile(status.kind))
    }
    if let index = segments.firstIndex(where: { $0.status.identity == status.identity }) {
      return [.close(token)] + followAgain(index)
    }
    supersedeLast()
    // A file that gets its name back continues under that name.
    let closed = closeLate(status.identity)
    guard hasBegun else {
      hasBegun = true
      hasFollowed = true
      guard resumption == nil else {
        step = .opening(token, status)
        return show(.following) + [.inspectSiblings(inspection(path: token))]
      }
      step = .baseline
      segments = [TailSegment(token: token, status: status, now: now, restart: .began)]
      return show(.following) + [.inspectSiblings(baseline())]
    }
    step = .opening(token, status)
    return closed + show(.following) + [.inspectSiblings(inspection(path: token))]
  }

  /// The path could not be opened.
  package mutating func pathOpenFailed(_ failure: FileFailure) -> [TailAction] {
    switch failure.kind {
    case .missing:
      supersedeLast()
      return showMissing()
    case .denied:
      supersedeLast()
      return begunWithoutFile() + show(.noPermission)
    case .exhausted:
      // Their descriptors are needed for the file at the path. Thousands of paths may lack a descriptor.
      wakeBy(now + options.retryPeriod * Double(1 << exhaustions))
      exhaustions = min(exhaustions + 1, Self.exhaustionLimit)
      return closeLate() + show(failure.state)
    case .other:
      wakeBy(now + options.retryPeriod)
    }
    return show(failure.state)
  }

  /// Nothing could be read at the start: files that appear later are read in full.
  private mutating func begunWithoutFile() -> [TailAction] {
    // Rotated files that existed before count as read, unless a saved position tells otherwise.
    guard !hasBegun, resumption == nil else { return [] }
    hasBegun = true
    step = .baseline
    return [.inspectSiblings(baseline())]
  }

  private mutating func showMissing() -> [TailAction] {
    let since = missingSince ?? now
    missingSince = since
    guard state == .following, now < since + options.missingPeriod else { return show(.missing) }
    wakeBy(since + options.missingPeriod)
    return []
  }

  private mutating func supersedeLast() {
    guard let last = segments.indices.last, !segments[last].isSuperseded else { return }
    segments[last].supersededAt = now
    segments[last].lastGrowth = now
  }

  /// The path refers to a file that is still held.
  private mutating func followAgain(_ index: Int) -> [TailAction] {
    if index == segments.count - 1 {
      segments[index].supersededAt = nil
      return show(.following)
    }
    supersedeLast()
    var segment = segments.remove(at: index)
    segment.supersededAt = nil
    segment.isRevisited = false
    segment.mayGrow = true
    var actions = show(.following)
    // It follows the files read in the meantime, and so does its half line.
    segment.rewindToLineStart()
    segment.restart = .resumed
    segments.append(segment)
    if index == 0 { actions += promoteFront() }
    return actions
  }
}

extension FileFailure {
  var state: TailState {
    switch kind {
    case .missing: .missing
    case .denied: .noPermission
    case .exhausted: .failing(24)  // EMFILE, the same number on Linux and macOS
    case .other(let code): .failing(code)
    }
  }
}
