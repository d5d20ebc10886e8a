import Codecs
import Platform

/// A reader of a segment's events in order; skips damaged ones.
struct SegmentReader {
  /// The progress of a reader; another reader can continue from it.
  struct Place: Hashable {
    /// The offset of the next record.
    var position: Int
    /// The number of the next event, or `nil` while it is unknown.
    var next: Int64?
    /// Damaged places since the last intact record; reading resumes before them and counts them again.
    var damages = 0
  }

  /// An intact event.
  struct Found {
    let event: QueuedEvent
    let number: Int64
    /// The offset of its record.
    let start: Int
  }

  /// The progress.
  private(set) var place: Place
  /// Events found missing so far that were not removed.
  private(set) var lost = 0
  /// The end of the last intact record, as an offset.
  private(set) var end: Int
  /// Intact records so far.
  private(set) var records = 0
  private let first: Int64
  private var walk: RecordWalk

  /// Creates a reader at a place.
  ///
  /// - Parameters:
  ///   - window: The file.
  ///   - first: The number of the first event that is not removed.
  ///   - place: The start.
  init(_ window: FileWindow, first: Int64, from place: Place) {
    (self.first, self.place, end) = (first, Place(position: place.position, next: place.next), place.position)
    walk = RecordWalk(window, at: place.position, maximalContent: EventRecord.maximalSize)
  }

  /// The next intact event, or `nil` if no intact record follows.
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

  /// Counts an intact record, and the events missing before it.
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
  /// A saturating sum.
  func adding(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
