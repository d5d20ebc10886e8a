import Platform

/// Consecutive events for one segment.
private struct Run {
  let base: Int64
  var bytes: [UInt8] = []
  /// The offset of each event in `bytes`.
  var starts: [Int] = []

  var next: Int64 { base + Int64(starts.count) }

  /// True if a segment with these events has space for another record.
  func takes(_ record: [UInt8], beside events: Int, _ size: Int, in limits: Segment.Limits) -> Bool {
    let used = events + starts.count
    return used == 0 || used < limits.events && size + bytes.count + record.count <= limits.bytes
  }

  mutating func add(_ record: [UInt8]) {
    starts.append(bytes.count)
    bytes += record
  }
}

extension SegmentQueue {
  /// Stores events behind the newest.
  mutating func append(_ events: [QueuedEvent]) throws(StorageFailure) {
    guard !events.isEmpty else { return }
    let tail = try growingTail()
    let runs = try runs(of: events, from: next, behind: tail)
    let ownRuns = tail == nil ? runs[...] : runs.dropFirst()
    if tail != nil, let run = runs.first, !run.starts.isEmpty { try grow(run) }
    var made: [Segment] = []
    do {
      for run in ownRuns { made.append(try make(run)) }
    } catch {
      for segment in made { Posix.unlink(segment.path) }
      if let tail { cutBack(to: tail.size) }
      throw error
    }
    if tail != nil, let run = runs.first {
      let last = segments.count - 1
      segments[last].size += run.bytes.count
      segments[last].next = run.next
      segments[last].records += run.starts.count
      segments[last].remaining += run.starts.count
    }
    for segment in made {
      if !segments.isEmpty { segments[segments.count - 1].following = segment.base }
      segments.append(segment)
    }
    next = runs.last?.next ?? next
  }

  /// Stores events before the oldest.
  mutating func prepend(_ events: [QueuedEvent]) throws(StorageFailure) {
    guard let head = segments.first else { return try append(events) }
    guard !events.isEmpty else { return }
    let runs = try runs(of: events, from: head.base - Int64(events.count), behind: nil)
    var made: [Segment] = []
    do {
      // From last to first, so that a crash leaves no gap.
      for run in runs.reversed() {
        var segment = try make(run)
        segment.following = made.first?.base ?? head.base
        made.insert(segment, at: 0)
      }
    } catch {
      for segment in made { Posix.unlink(segment.path) }
      throw error
    }
    known.insert(
      contentsOf: zip(runs, made).flatMap { run, segment in
        run.starts.enumerated().map { offset, start in
          Known(segment: segment.id, number: run.base + Int64(offset), start: SegmentHeader.size + start)
        }
      }, at: 0)
    segments.insert(contentsOf: made, at: 0)
    reading.index += made.count
  }
}

// MARK: Steps

extension SegmentQueue {
  /// Divides events among segments; the first run belongs to `tail`, if there is one, and may be empty.
  private func runs(
    of events: [QueuedEvent], from base: Int64, behind tail: Segment?
  ) throws(StorageFailure) -> [Run] {
    let numbers = EventRecord.numbers
    guard numbers.lowerBound < base, base < numbers.upperBound - Int64(events.count) else {
      throw StorageFailure("\(folder.path): no numbers are left for events")
    }
    var runs: [Run] = []
    var run = Run(base: base)
    var used = (events: tail?.records ?? 0, bytes: tail?.size ?? SegmentHeader.size)
    for event in events {
      let record = try EventRecord.bytes(of: event, number: run.next)
      if !run.takes(record, beside: used.events, used.bytes, in: limits) {
        runs.append(run)
        run = Run(base: run.next)
        used = (0, SegmentHeader.size)
      }
      run.add(record)
    }
    return runs + [run]
  }

  /// The last segment, if it is intact and not full.
  private mutating func growingTail() throws(StorageFailure) -> Segment? {
    guard let tail = segments.last else { return nil }
    if tail.isDoubtful { try repair(tail) }
    guard tail.records < limits.events, tail.size < limits.bytes else { return nil }
    // Another process wrote to this file: its bytes stay, and new events go elsewhere.
    guard let status = Posix.status(at: tail.path), status.kind == .regular, status.size == UInt64(tail.size)
    else {
      return nil
    }
    return segments.last
  }

  /// Rewrites the last segment, because after a failed sync only a new file can be trusted.
  private mutating func repair(_ tail: Segment) throws(StorageFailure) {
    do {
      var window = try folder.window(tail.path, upTo: tail.size)
      try folder.replace(tail.path, with: Array(try window.bytes(at: 0, count: tail.size)))
    } catch {
      throw StorageFailure(error, tail.path)
    }
    segments[segments.count - 1].isDoubtful = false
  }

  /// Appends after the last record, or leaves the file unchanged.
  private mutating func grow(_ run: Run) throws(StorageFailure) {
    guard let tail = segments.last else { return }
    do {
      try folder.write(run.bytes, to: tail.path)
    } catch {
      cutBack(to: tail.size)
      if case .sync = error.attempt { segments[segments.count - 1].isDoubtful = true }
      throw StorageFailure(error, tail.path)
    }
  }

  private mutating func cutBack(to size: Int) {
    guard let tail = segments.last else { return }
    do { try folder.cut(tail.path, to: size) } catch { segments[segments.count - 1].isDoubtful = true }
  }

  /// Creates a segment with its first events, complete and durable.
  private mutating func make(_ run: Run) throws(StorageFailure) -> Segment {
    let path = try folder.freePath(base: run.base)
    let bytes = SegmentHeader.bytes(base: run.base) + run.bytes
    do {
      try folder.replace(path, with: bytes)
    } catch {
      // The file may already have its name, although not durably.
      Posix.unlink(path)
      throw StorageFailure(error, path)
    }
    return Segment(
      id: newID(), path: path, checkpoint: .init(base: run.base, first: run.base, generation: 0),
      next: run.next,
      size: bytes.count, records: run.starts.count, remaining: run.starts.count)
  }
}
