/// A queue of events in the segments of a folder.
///
/// A segment is a header and records, one an event. New events go behind the last record of the last segment, or into a
/// new segment where that is full; events that go before the oldest get a segment of their own. Each event has a
/// number, one more than the one before it. What is removed is a number in the header of the first segment; a segment
/// without events goes. A segment comes into being whole, with its first events, under a name that no other has.
struct SegmentQueue {
  /// The place of an intact event that was read or written.
  struct Known: Hashable {
    let segment: Int
    let number: Int64
    let start: Int
  }

  let folder: SegmentFolder
  let limits: Segment.Limits
  /// The oldest first.
  var segments: [Segment] = []
  /// The oldest events, without a gap: all that were passed by what is read.
  var known: [Known] = []
  /// The segment that is read next, and where in it; the beginning where there is no place.
  var reading: (index: Int, place: SegmentReader.Place?) = (0, nil)
  /// The number behind the newest event, whether that is still here or not.
  var next: Int64 = 0
  var damage = StorageDamage()
  private var lastID = 0

  /// A queue without segments.
  init(folder: SegmentFolder, limits: Segment.Limits) {
    (self.folder, self.limits) = (folder, limits)
  }

  /// How many events are here.
  var count: Int { segments.reduce(0) { $0 + $1.remaining } }

  mutating func newID() -> Int {
    lastID += 1
    return lastID
  }
}
