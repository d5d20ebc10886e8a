/// A queue of events in the segments of a folder.
///
/// A segment is a header and one record per event. New events are appended to the last segment, or to a new one if that
/// is full; events that precede the oldest get a segment of their own. Events are numbered consecutively. Removal
/// advances a number in the header of the first segment; a segment without events is deleted. A segment is created
/// complete with its first events, under a name that is never reused.
struct SegmentQueue {
  /// The place of an intact event that was read or written.
  struct Known: Hashable {
    let segment: Int
    let number: Int64
    let start: Int
  }

  let folder: SegmentFolder
  let limits: Segment.Limits
  /// Oldest first.
  var segments: [Segment] = []
  /// The oldest events, without gaps: all those read so far.
  var known: [Known] = []
  /// The next segment to read, and the place in it; `nil` for its beginning.
  var reading: (index: Int, place: SegmentReader.Place?) = (0, nil)
  /// The number after the newest event, even if that has been removed.
  var next: Int64 = 0
  var damage = StorageDamage()
  private var lastID = 0

  /// Creates a queue without segments.
  init(folder: SegmentFolder, limits: Segment.Limits) {
    (self.folder, self.limits) = (folder, limits)
  }

  /// Number of events.
  var count: Int { segments.reduce(0) { $0 + $1.remaining } }

  mutating func newID() -> Int {
    lastID += 1
    return lastID
  }
}
