import Codecs
import Platform

/// Reads the events of a segment in order, skipping damaged ones.
struct SegmentReader {
  /// Where reading has come to; reading goes on from it with another reader.
  struct Place: Hashable {
    /// Where the next record begins.
    var position: Int
    /// The number of the next event, or `nil` as long as it is not known.
    var next: Int64?
    /// How many damaged places came since the last good record; reading goes on before them, and counts them again.
    var damages = 0
  }

  /// A good event.
  struct Found {
    let event: QueuedEvent
    let number: Int64
    /// Where its record begins.
    let start: Int
  }

  /// Where reading has come to.
  private(set) var place: Place
  /// How many events are missing so far that were not removed.
  private(set) var lost = 0
  /// Where the last good record ends.
  private(set) var end: Int
  /// How many good records there were.
  private(set) var records = 0
  private let first: Int64
  private var walk: RecordWalk

  /// Goes on at a place.
  ///
  /// - Parameters:
  ///   - window: The file.
  ///   - first: The number of the first event that is not removed.
  ///   - place: Where to begin.
  init(_ window: FileWindow, first: Int64, from place: Place) {
    (self.first, self.place, end) = (first, Place(position: place.position, next: place.next), place.position)
    walk = RecordWalk(window, at: place.position, maximalContent: EventRecord.maximalSize)
  }

  /// The next event that is as it was written, or `nil` where no good record follows.
  mutating func next() throws(FileFailure) -> Found? {
    while true {
      let start = walk.position
      defer { place.position = end }
      switch try walk.next() {
      case .end, .torn: return nil
      case .badContent(let end):
        place.damages += 1
        walk.skip(to: end)
      case .badHeader:
        place.damages += 1
        try walk.skipToHeader()
      case .record(let content):
        guard let record = EventRecord(content) else {
          place.damages += 1
          continue
        }
        if let event = pass(record) { return Found(event: event, number: record.number, start: start) }
      }
    }
  }

  /// Counts a good record, and what is missing before it.
  private mutating func pass(_ record: EventRecord) -> QueuedEvent? {
    (end, records) = (walk.position, records + 1)
    defer { (place.next, place.damages) = (max(place.next ?? first, record.number + 1), 0) }
    guard record.number >= first else { return nil }
    lost = lost.adding(place.next.map { Int(max(0, record.number - $0)) } ?? place.damages)
    if record.event == nil { lost = lost.adding(1) }
    return record.event
  }
}

extension Int {
  /// The sum of two counts, or the largest number.
  func adding(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
