/// One open file in the queue of a tail, with how far it was read.
struct TailSegment: Hashable, Sendable {
  let token: FileToken
  /// As last seen.
  var status: FileStatus
  /// Next byte to read.
  var offset: UInt64 = 0
  /// Behind the last newline that was delivered.
  var lineStart: UInt64 = 0
  /// The bytes before ``offset``; `nil` while nothing was read.
  var mark: TailMark?
  var trail = TailMarkTrail()
  /// Bytes that were seen to be there behind ``offset`` when the file was cut.
  var lost: UInt64 = 0
  /// When the size was last seen to change, or the path was seen to name another file.
  var lastGrowth: Double
  /// The path names another file now.
  var isSuperseded = false
  /// A writer may still have the file open although the path names another.
  var mayGrow = true
  /// Modification time at which the bytes before ``offset`` were last compared.
  var verified: Int64?
  /// What to announce before the first byte; `nil` where the bytes continue those before.
  var restart: TailRestart.Reason?
  /// The last line that was read may be in this file, further on than the start.
  var mayHoldLastLine = false

  init(token: FileToken, status: FileStatus, now: Double, restart: TailRestart.Reason?) {
    self.token = token
    self.status = status
    self.lastGrowth = now
    self.restart = restart
  }

  /// Bytes of a line whose end was not read yet.
  var halfLine: UInt64 { offset - lineStart }

  /// Goes on as a copy of another file that was read up to its offset.
  mutating func takePlace(of other: TailSegment) {
    offset = other.offset
    lineStart = other.lineStart
    mark = other.mark
    trail = other.trail
  }

  /// Begins at a line start, as proven by the mark before it.
  mutating func begin(at mark: TailMark) {
    offset = mark.offset
    lineStart = mark.offset
    self.mark = mark.bytes.isEmpty ? nil : mark
    trail.cut(after: mark.offset)
    if !mark.bytes.isEmpty { trail.append(mark) }
    verified = nil
  }

  /// Goes back to the start of the half line, so that it can be delivered once more and whole.
  mutating func rewindToLineStart() {
    begin(at: trail.last?.offset == lineStart ? trail.last ?? .start : TailMark(offset: lineStart, bytes: []))
  }

  /// Forgets what was read: the file has new content from the first byte on.
  mutating func beginNewEpoch(restart reason: TailRestart.Reason) {
    begin(at: .start)
    status.size = 0
    lost = 0
    restart = reason
    mayHoldLastLine = true
  }
}

extension TailMark {
  /// The start of every file.
  static let start = TailMark(offset: 0, bytes: [])
}

/// A file that was read to its end and closed; remembered so that it is never read twice.
struct FinishedFile: Hashable, Sendable {
  /// As many as are remembered.
  static let capacity = 32

  let offset: UInt64
  let lineStart: UInt64
  let end: TailMark?
  let trail: TailMarkTrail
  let links: Int

  init(_ segment: TailSegment) {
    offset = segment.offset
    lineStart = segment.lineStart
    end = segment.mark
    trail = segment.trail
    links = segment.status.links
  }

  /// A file that was there before the tail began, and is not read.
  init(end: TailMark) {
    offset = end.offset
    lineStart = end.offset
    self.end = end
    var trail = TailMarkTrail()
    trail.append(end)
    self.trail = trail
    links = 1
  }

  /// Where to go on when the file has grown or is followed again.
  var resumption: TailMark {
    trail.last?.offset == lineStart ? trail.last ?? .start : TailMark(offset: lineStart, bytes: [])
  }
}
