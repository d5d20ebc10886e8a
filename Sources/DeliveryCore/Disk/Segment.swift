/// A segment as the queue knows it.
struct Segment {
  /// The bounds of one segment: damage to its header costs this much at most, and removed events take up this much.
  struct Limits {
    var events = 1000
    var bytes = 1 << 20
  }

  /// Unique, unlike its numbers, whatever the files contain.
  let id: Int
  let path: String
  /// The checkpoint in its header, or the nearest to it.
  var checkpoint: SegmentHeader.Checkpoint
  /// The number behind its newest event.
  var next: Int64
  /// The number that the segment behind it began with, if there was one.
  var following: Int64?
  /// Where its last good record ends.
  var size: Int
  /// How many good records it has, removed ones included.
  var records: Int
  /// How many good events it has that are not removed.
  var remaining: Int
  /// True if its header can be read, so that reading begins with a known number.
  var hasCheckpoint = true
  /// True if what the disk holds is not known for sure: then it is written once more before it grows.
  var isDoubtful = false

  var base: Int64 { checkpoint.base }

  /// Where reading its events begins.
  var start: SegmentReader.Place {
    SegmentReader.Place(position: SegmentHeader.size, next: hasCheckpoint ? checkpoint.first : nil)
  }

  /// The number of its first event that is not removed.
  var first: Int64 { hasCheckpoint ? checkpoint.first : EventRecord.numbers.lowerBound }

  /// The number in its header once all of its events are removed.
  var end: Int64 { max(next, following ?? next) }

  /// How many events are missing behind the last good one.
  func lost(behind place: SegmentReader.Place) -> Int {
    guard let number = place.next else { return place.damages }
    return Int(clamping: max(0, (following ?? next) - number))
  }
}
