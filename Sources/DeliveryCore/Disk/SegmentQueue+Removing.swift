import Platform

extension SegmentQueue {
  /// Removes the oldest events.
  mutating func removeFirst(_ count: Int) throws(StorageFailure) {
    var rest = min(count, self.count)
    while rest > 0 {
      let step = min(rest, 1000)
      if known.count < step { try readOn(step - known.count) }
      try removeKnown(step)
      rest = min(rest - step, self.count)
    }
    removeEmpty()
  }

  private mutating func removeKnown(_ count: Int) throws(StorageFailure) {
    var taken = known.prefix(count)
    // Damage behind the last event of a segment is counted before the segment is deleted.
    if let last = taken.last, known.count == taken.count, reading.index < segments.count,
      segments[reading.index].id == last.segment
    {
      let before = Set(taken)
      try readOn(1)
      // The segment, with its events, may have become unreadable.
      taken = known.prefix { before.contains($0) }
    }
    guard let last = taken.last, let index = segments.firstIndex(where: { $0.id == last.segment }) else {
      return
    }
    var changed = Array(segments[...index])
    for place in taken {
      if let owner = changed.firstIndex(where: { $0.id == place.segment }) { changed[owner].remaining -= 1 }
    }
    for owner in changed.indices where changed[owner].remaining < segments[owner].remaining {
      let isLast = owner == index && changed[owner].remaining > 0
      changed[owner].checkpoint.first = isLast ? last.number + 1 : changed[owner].end
      changed[owner].checkpoint.generation += 1
      changed[owner].hasCheckpoint = true
      try write(changed[owner].checkpoint, to: changed[owner].path)
    }
    // Changes in memory follow once everything is on disk.
    segments.replaceSubrange(...index, with: changed)
    known.removeFirst(taken.count)
  }

  private func write(_ checkpoint: SegmentHeader.Checkpoint, to path: String) throws(StorageFailure) {
    do {
      try folder.write(checkpoint.bytes, to: path, at: checkpoint.offset)
    } catch {
      // Nothing is left to remove from a segment deleted by someone else.
      guard error == .missing else { throw StorageFailure(error, path) }
    }
  }

  /// Deletes the files of segments that were read and have no events left.
  mutating func removeEmpty() {
    let isEmpty = count == 0
    while let head = segments.first, head.remaining == 0, isEmpty || reading.index > 0 {
      // If the file returns after a power cut, its header says that it is empty.
      Posix.unlink(head.path)
      segments.removeFirst()
      reading.index = max(0, reading.index - 1)
    }
    if isEmpty { (reading, known) = ((0, nil), []) }
  }

  /// Deletes all files, including those set aside.
  mutating func removeAll() throws(StorageFailure) {
    var failure: StorageFailure?
    for (path, entry) in try folder.entries() {
      switch entry {
      case .other: break
      case .setAside: Posix.unlink(path)
      case .segment, .leftover, .unknown:
        do { try folder.remove(path) } catch { failure = error }
      }
    }
    segments.removeAll { Posix.status(at: $0.path) == nil }
    (known, reading) = ([], (0, nil))
    if let failure { throw failure }
    try folder.sync()
  }
}
