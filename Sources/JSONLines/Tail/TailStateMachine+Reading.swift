package import Platform

extension TailStateMachine {
  /// Bytes read at once of space that a writer is to fill.
  private static let blankChunk = 64 << 10

  /// A held file was examined.
  package mutating func fileExamined(
    _ token: FileToken, _ result: Result<FileStatus, FileFailure>
  ) -> [TailAction] {
    let isRefresh = step == .refreshing
    if isRefresh { step = .idle }
    if let index = late.firstIndex(where: { $0.segment.token == token }) {
      return lateExamined(index, result)
    }
    guard let index = segments.firstIndex(where: { $0.token == token }) else { return [] }
    switch result {
    case .failure(let failure):
      if failure.kind == .missing { handlesAreNames = true }
      return readFailed(token, failure)
    case .success(let status):
      let previous = segments[index].status
      if status.identity != previous.identity { segments[index].isReplaced = segments[index].offset > 0 }
      if status.size != previous.size { segments[index].lastGrowth = now }
      let (end, size) = (segments[index].end, segments[index].status.size)
      // A waiting file has not been read: if it is truncated, all that was seen of it is lost.
      if size > end, status.size < (index == 0 ? segments[index].offset : size) {
        segments[index].lost = size - end
      }
      segments[index].status = status
      guard index == 0, !isRefresh else { return [] }
      let actions = reopenFront(since: previous)
      // The rest of the file that was read has a rotated name.
      return actions + (segments[0].isReplaced ? frontWasCut() : continueFront())
    }
  }

  /// Opens the first file again, if others change it and it has changed.
  private func reopenFront(since previous: FileStatus) -> [TailAction] {
    guard isShared, let front = segments.first, !front.isSuperseded || front.isReplaced else { return [] }
    let hasChanged = FileFingerprint(front.status) != FileFingerprint(previous)
    guard hasChanged || front.isReplaced || front.hasBlank else { return [] }
    return [.reopen(front.token, front.status.identity)]
  }

  /// Bytes of a held file were read; they start with a repetition of the mark.
  package mutating func bytesWereRead(
    _ bytes: UnsafeRawBufferPointer, from token: FileToken, at offset: UInt64
  ) -> [TailAction] {
    guard var front = segments.first, front.token == token else { return [] }
    let prefix = front.mark?.count ?? 0
    guard bytes.count >= prefix else { return readShort(token) }
    if let mark = front.mark, !mark.matches(prefixOf: bytes) {
      return front.halfLine > 0 ? frontShrank() : frontWasCut()
    }
    guard bytes.count > prefix else {
      guard front.status.size <= front.offset else { return readShort(token) }
      segments[0].verified = front.status.modified
      return show(healthy) + continueFront()
    }
    let payload = front.accept(bytes, start: offset, payloadFrom: prefix)
    // A file that is filled keeps its size.
    if !payload.isEmpty, front.blankEnd > 0 { front.lastGrowth = now }
    if payload.isEmpty { front.verified = front.status.modified }
    segments[0] = front
    var actions = show(healthy)
    if !payload.isEmpty { actions.append(.deliver(payload, offset: offset + UInt64(payload.lowerBound))) }
    let reach = offset + UInt64(bytes.count)
    let isBlankKnown = front.offset == reach || front.blankEnd >= front.status.size
    return actions + (isBlankKnown ? continueFront() : [.findData(token, from: reach)])
  }

  /// Only NUL bytes follow the offset up to this one: the hole that a writer without `O_APPEND` left, or at the end of
  /// the file the space that a writer has reserved.
  package mutating func dataFound(_ token: FileToken, at start: UInt64) -> [TailAction] {
    guard let front = segments.first, front.token == token else { return [] }
    guard start < front.status.size else {
      segments[0].blankEnd = front.status.size
      segments[0].isBlankRead = true
      return continueFront()
    }
    segments[0].blankEnd = 0
    if front.halfLine > 0 {
      segments[0].lineReaches = start
    } else if start > front.offset {
      segments[0].offset = start
      segments[0].lineStart = start
      // The mark before the place must lie entirely in the hole.
      let count = Int(min(start - front.offset, UInt64(TailMark.length)))
      segments[0].mark = TailMark(offset: start, bytes: [UInt8](repeating: 0, count: count))
    }
    return continueFront()
  }

  /// A held file could not be read.
  package mutating func readFailed(_ token: FileToken, _ failure: FileFailure) -> [TailAction] {
    show(failure.state) + tryAgain(token)
  }

  /// Decides the next step from the file's status and the bytes read.
  mutating func continueFront() -> [TailAction] {
    guard let front = segments.first else { return [] }
    if front.status.size < front.offset { return frontShrank() }
    if front.status.size < front.blankEnd { segments[0].blankEnd = front.status.size }
    if let mark = front.mark, mark.head != nil, front.headVerified != front.status.modified {
      step = .verifying
      return [.compare(front.token, mark)]
    }
    let mark = front.mark?.count ?? 0
    if front.status.size > front.end || front.hasBlank && !front.isBlankRead {
      let count = front.status.size > front.end ? options.chunk : min(options.chunk, Self.blankChunk)
      return [.read(front.token, offset: front.offset - UInt64(mark), count: count + mark)]
    }
    if front.verified != front.status.modified, mark > 0 {
      // Touched but not longer: the mark shows whether the lines that were read are still there.
      return [.read(front.token, offset: front.offset - UInt64(mark), count: mark)]
    }
    guard let supersededAt = front.supersededAt else {
      // A program that fills the file through memory sends no events.
      let isIdle = now >= front.lastGrowth + options.idleAfter
      if segments[0].hasBlank { wakeBy(now + (isIdle ? options.idleBlankPoll : options.blankPoll)) }
      return []
    }
    let end = min(front.lastGrowth + options.quietPeriod, supersededAt + options.supersededPeriod)
    if front.mayGrow, now < end {
      wakeBy(end)
      return []
    }
    return finishFront()
  }

  /// The file ended before the size it reported.
  private mutating func readShort(_ token: FileToken) -> [TailAction] {
    shortReads += 1
    return shortReads < 3 ? [.examine(token)] : tryAgain(token)
  }

  /// Waits and retries; a file that is no longer followed must not block the next one forever.
  private mutating func tryAgain(_ token: FileToken) -> [TailAction] {
    guard let front = segments.first, front.token == token, front.isSuperseded,
      now >= front.lastGrowth + options.quietPeriod
    else {
      wakeBy(now + options.retryPeriod)
      return []
    }
    let unread = front.status.size - min(front.status.size, front.end)
    return gap(.unreadable, unread) + finishFront()
  }

  /// The state to return to after a failure.
  private var healthy: TailState {
    if case .failing = state { return .following }
    return state
  }
}

extension TailSegment {
  /// Accepts bytes that follow the mark.
  ///
  /// NUL bytes at their end stay unread: they may be space that the writer has yet to fill.
  ///
  /// - Returns: The part of `all` to deliver, without the NUL bytes that a writer without `O_APPEND` leaves before its
  ///   next line after the file was truncated.
  fileprivate mutating func accept(
    _ all: UnsafeRawBufferPointer, start: UInt64, payloadFrom prefix: Int
  ) -> Range<Int> {
    let reach = start + UInt64(all.count)
    // A writer may have appended after the size was read.
    status.size = max(status.size, reach)
    var last = all.count
    let content = prefix + Int(clamping: lineReaches - min(lineReaches, offset))
    while last > min(content, all.count), all[last - 1] == 0 { last -= 1 }
    isBlankRead = last < all.count
    if isBlankRead, reach >= status.size { blankEnd = reach }
    guard last > prefix else { return prefix..<prefix }
    let bytes = UnsafeRawBufferPointer(rebasing: all[..<last])
    var first = prefix
    if offset == lineStart {
      while first < bytes.count, bytes[first] == 0 { first += 1 }
      lineStart += UInt64(first - prefix)
    }
    let payload = UnsafeRawBufferPointer(rebasing: bytes[first...])
    if trail.marks.count < TailMarkTrail.headCount {
      let segment = self
      trail.markHead(of: payload) { line in
        let begin = line.lowerBound > 0 ? start + UInt64(first + line.lowerBound) : segment.lineStart
        return segment.mark(bytes, start, first + line.upperBound, lineStart: begin)
      }
    }
    lines.append(bytes, at: start, payload: first, lineStart: lineStart)
    if let newline = payload.lastNewline {
      let previous = UnsafeRawBufferPointer(rebasing: payload[..<newline]).lastNewline
      let begin = previous.map { start + UInt64(first + $0) + 1 } ?? lineStart
      let mark = mark(bytes, start, first + newline + 1, lineStart: begin)
      lineStart = mark.offset
      trail.append(mark)
    }
    offset = start + UInt64(bytes.count)
    head = lineHead(at: lineStart, in: bytes, start)
    if halfLine > 0 || trail.last?.offset != offset {
      mark = mark(bytes, start, bytes.count, lineStart: lineStart, halfLine: halfLine)
    } else {
      mark = trail.last
    }
    return first..<bytes.count
  }

  /// The mark at an offset in a buffer.
  ///
  /// - Parameters:
  ///   - begin: Offset of the start of the line that ends there or is still incomplete.
  ///   - halfLine: As for ``TailMark``.
  private func mark(
    _ bytes: UnsafeRawBufferPointer, _ start: UInt64, _ end: Int, lineStart begin: UInt64,
    halfLine: UInt64 = 0
  ) -> TailMark {
    let mark = TailMark(in: bytes, start: start, end: end, halfLine: halfLine)
    return begin < mark.start ? mark.with(head: lineHead(at: begin, in: bytes, start)) : mark
  }

  /// The start of a line, from the buffer or from an earlier one.
  private func lineHead(at begin: UInt64, in bytes: UnsafeRawBufferPointer, _ start: UInt64) -> LineHead? {
    guard begin >= start, begin - start <= UInt64(bytes.count) else {
      return head?.start == begin ? head : nil
    }
    return LineHead(
      start: begin, of: UnsafeRawBufferPointer(rebasing: bytes[Int(begin - start)...]))
  }
}

extension TailStateMachine {
  /// Access to a file failed, other than reading on.
  package mutating func seekFailed(_ action: TailAction, _ failure: FileFailure) -> [TailAction] {
    guard let front = segments.first else { return [] }
    let awaited = step
    step = .idle
    switch awaited {
    case .comparing, .cuttingBack:
      return frontWasCut()
    case .searching:
      step = awaited
      return linesSearched(front.token, found: nil)
    case .window:
      // No line start could be found: the file is read from its start instead.
      segments[0].restart = .began
      return promoteFront()
    case .idle, .refreshing, .baseline, .opening, .cut, .verifying, .promoting:
      return readFailed(front.token, failure)
    }
  }
}
