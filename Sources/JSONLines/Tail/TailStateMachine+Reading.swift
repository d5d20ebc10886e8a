package import Platform

extension TailStateMachine {
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
      return readFailed(token, failure)
    case .success(let status):
      if status.size != segments[index].status.size { segments[index].lastGrowth = now }
      let (offset, size) = (segments[index].offset, segments[index].status.size)
      // A waiting file has not been read: if it is truncated, all that was seen of it is lost.
      if size > offset, status.size < (index == 0 ? offset : size) { segments[index].lost = size - offset }
      segments[index].status = status
      return index == 0 && !isRefresh ? continueFront() : []
    }
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
    segments[0] = front
    var actions = show(healthy)
    guard !payload.isEmpty else { return actions + [.findData(token, from: front.offset)] }
    actions.append(.deliver(payload, offset: offset + UInt64(payload.lowerBound)))
    return actions + continueFront()
  }

  /// Only NUL bytes were read between two lines: the end of the hole that a writer without `O_APPEND` left.
  package mutating func dataFound(_ token: FileToken, at start: UInt64) -> [TailAction] {
    guard let front = segments.first, front.token == token else { return [] }
    let place = min(start, front.status.size)
    // The mark before the place must lie entirely in the hole.
    if place > front.offset, place - front.offset >= UInt64(TailMark.length) {
      segments[0].offset = place
      segments[0].lineStart = place
      segments[0].mark = TailMark(offset: place, bytes: [UInt8](repeating: 0, count: TailMark.length))
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
    if let mark = front.mark, mark.head != nil, front.headVerified != front.status.modified {
      step = .verifying
      return [.compare(front.token, mark)]
    }
    let mark = front.mark?.count ?? 0
    if front.status.size > front.offset {
      let start = front.offset - UInt64(mark)
      return [.read(front.token, offset: start, count: options.chunk + mark)]
    }
    if front.verified != front.status.modified, mark > 0 {
      // Touched but not longer: the mark shows whether the lines that were read are still there.
      return [.read(front.token, offset: front.offset - UInt64(mark), count: mark)]
    }
    guard let supersededAt = front.supersededAt else { return [] }
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
    let unread = front.status.size > front.offset ? front.status.size - front.offset : 0
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
  /// - Returns: The part of `bytes` to deliver, without the NUL bytes that a writer without `O_APPEND` leaves before
  ///   its next line after the file was truncated.
  fileprivate mutating func accept(
    _ bytes: UnsafeRawBufferPointer, start: UInt64, payloadFrom prefix: Int
  ) -> Range<Int> {
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
    // A writer may have appended after the size was read.
    status.size = max(status.size, offset)
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
