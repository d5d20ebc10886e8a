import Codecs
import Essentials
import Platform

extension SegmentQueue {
  /// The oldest events.
  mutating func first(_ limit: Int) throws(StorageFailure) -> [QueuedEvent] {
    var events = try readKnown(limit)
    try readOn(limit - events.count) { events.append($0) }
    removeEmpty()
    return events
  }

  /// Rereads events at known places.
  private mutating func readKnown(_ limit: Int) throws(StorageFailure) -> [QueuedEvent] {
    var events: [QueuedEvent] = []
    var (walk, open) = (RecordWalk?.none, Int?.none)
    while events.count < limit, events.count < known.count {
      let place = known[events.count]
      do throws(FileFailure) {
        if open != place.segment {
          guard let segment = segments.first(where: { $0.id == place.segment }) else { break }
          walk = RecordWalk(
            try folder.window(segment.path, upTo: segment.size), at: place.start,
            maximalContent: EventRecord.maximalSize)
          open = place.segment
        }
        walk?.skip(to: place.start)
        if case .record(let content) = try walk?.next(), let record = EventRecord(content),
          record.number == place.number, let event = record.event
        {
          events.append(event)
        } else {
          forget(at: events.count)
        }
      } catch {
        try handle(error, in: place.segment)
        // The place of its events is no longer known.
        events = []
        open = nil
      }
    }
    return events
  }

  /// Reads events not known yet, up to `wanted`.
  mutating func readOn(_ wanted: Int, _ body: (QueuedEvent) -> Void = { _ in }) throws(StorageFailure) {
    let enough = known.count.adding(max(0, wanted))
    while known.count < enough, reading.index < segments.count {
      let segment = segments[reading.index]
      do throws(FileFailure) {
        let window = try folder.window(segment.path, upTo: segment.size)
        var reader = SegmentReader(window, first: segment.first, from: reading.place ?? segment.start)
        defer {
          damage.events = damage.events.adding(reader.lost)
          reading.place = reader.place
        }
        while known.count < enough, let found = try reader.next() {
          known.append(Known(segment: segment.id, number: found.number, start: found.start))
          body(found.event)
        }
      } catch {
        try handle(error, in: segment.id)
        continue
      }
      guard known.count < enough else { return }
      guard finishSegment() else { return }
    }
  }

  /// Counts the events missing at the end of a finished segment, and advances to the next one.
  ///
  /// - Returns: Whether there is one.
  private mutating func finishSegment() -> Bool {
    let index = reading.index
    let segment = segments[index]
    if let place = reading.place {
      damage.events = damage.events.adding(segment.lost(behind: place))
      reading.place?.next = segment.end
    }
    segments[index].remaining = known.count { $0.segment == segment.id }
    guard index + 1 < segments.count else { return false }
    reading = (index + 1, nil)
    return true
  }

  /// Drops an event that was damaged after it had been read.
  private mutating func forget(at index: Int) {
    let id = known.remove(at: index).segment
    damage.events = damage.events.adding(1)
    for index in segments.indices where segments[index].id == id { segments[index].remaining -= 1 }
  }

  /// Continues without a segment that has become unreadable.
  private mutating func handle(_ failure: FileFailure, in id: Int) throws(StorageFailure) {
    guard let index = segments.firstIndex(where: { $0.id == id }) else { return }
    let segment = segments[index]
    guard failure != .exhausted, failure.number != ENOMEM else { throw StorageFailure(failure, segment.path) }
    damage.events = damage.events.adding(segment.remaining)
    if failure != .missing { damage.files.append(folder.setAside(segment.path)) }
    known.removeAll { $0.segment == id }
    segments.remove(at: index)
    if index < reading.index {
      reading.index -= 1
    } else if index == reading.index {
      reading.place = nil
    }
  }
}
