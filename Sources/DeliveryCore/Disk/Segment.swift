/// A segment as the queue knows it.
struct Segment {
  /// The limits of one segment, which bound the loss from a damaged header and the space taken by removed events.
  struct Limits {
    var events = 1000
    var bytes = 1 << 20
  }

  /// Unique, unlike its numbers, whatever the files contain.
  let id: Int
  let path: String
  /// The checkpoint in its header, or the closest approximation.
  var checkpoint: SegmentHeader.Checkpoint
  /// The number after its newest event.
  var next: Int64
  /// The first number of the next segment, if there was one.
  var following: Int64?
  /// The end of its last intact record, as an offset.
  var size: Int
  /// Intact records, removed ones included.
  var records: Int
  /// Intact events that are not removed.
  var remaining: Int
  /// True if its header is readable, so that reading begins with a known number.
  var hasCheckpoint = true
  /// True if the file's contents are uncertain: it is then rewritten before it grows.
  var isDoubtful = false

  var base: Int64 { checkpoint.base }

  /// The place of its first event for a reader.
  var start: SegmentReader.Place {
    SegmentReader.Place(position: SegmentHeader.size, next: hasCheckpoint ? checkpoint.first : nil)
  }

  /// The number of its first event that is not removed.
  var first: Int64 { hasCheckpoint ? checkpoint.first : EventRecord.numbers.lowerBound }

  /// The number in its header once all of its events are removed.
  var end: Int64 { max(next, following ?? next) }

  /// The number of events missing behind the last intact one.
  func lost(behind place: SegmentReader.Place) -> Int {
    guard let number = place.next else { return place.damages }
    return Int(clamping: max(0, (following ?? next) - number))
  }
}
