extension TailStateMachine {
  /// What the path names was looked up.
  package mutating func pathExamined(_ result: Result<FileStatus, FileFailure>) -> [TailAction] {
    switch result {
    case .failure(.denied):
      // A held file may still be the one; it is read on.
      return begunWithoutFile() + show(.noPermission)
    case .failure(.missing):
      supersedeLast()
      return begunWithoutFile() + show(.missing)
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
    guard status.kind == .regular else {
      supersedeLast()
      return [.close(token)] + show(.notAFile(status.kind))
    }
    if let index = segments.firstIndex(where: { $0.status.identity == status.identity }) {
      return [.close(token)] + followAgain(index)
    }
    supersedeLast()
    guard hasBegun else {
      hasBegun = true
      hasFollowed = true
      step = .baseline
      segments = [TailSegment(token: token, status: status, now: now, restart: .began)]
      return show(.following) + [.inspectSiblings(baseline())]
    }
    step = .opening(token, status)
    return show(.following) + [.inspectSiblings(inspection(path: token))]
  }

  /// The path could not be opened.
  package mutating func pathOpenFailed(_ failure: FileFailure) -> [TailAction] {
    switch failure {
    case .missing:
      supersedeLast()
    case .denied:
      supersedeLast()
      return begunWithoutFile() + show(.noPermission)
    case .exhausted, .other:
      wakeBy(now + options.retryPeriod)
    }
    return show(failure.state)
  }

  /// Nothing could be read at the start: what appears later is read whole.
  private mutating func begunWithoutFile() -> [TailAction] {
    guard !hasBegun else { return [] }
    hasBegun = true
    step = .baseline
    return [.inspectSiblings(baseline())]
  }

  private mutating func supersedeLast() {
    guard let last = segments.indices.last, !segments[last].isSuperseded else { return }
    segments[last].isSuperseded = true
    segments[last].lastGrowth = now
  }

  /// The path names a file that is still held.
  private mutating func followAgain(_ index: Int) -> [TailAction] {
    if index == segments.count - 1 {
      segments[index].isSuperseded = false
      return show(.following)
    }
    supersedeLast()
    var segment = segments.remove(at: index)
    segment.isSuperseded = false
    var actions = show(.following)
    // It comes after the files that were followed meanwhile, and its half line with it.
    segment.rewindToLineStart()
    segment.restart = .resumed
    segments.append(segment)
    if index == 0 { actions += promoteFront() }
    return actions
  }
}

extension FileFailure {
  var state: TailState {
    switch self {
    case .missing: .missing
    case .denied: .noPermission
    case .exhausted: .failing(24)  // EMFILE, the same number on Linux and macOS
    case .other(let code): .failing(code)
    }
  }
}
