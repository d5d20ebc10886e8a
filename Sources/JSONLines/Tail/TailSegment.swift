import Platform

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
  var lastGrowth: MonotonicInstant
  /// Since when the path names another file.
  var supersededAt: MonotonicInstant?
  /// It was left, and has grown since.
  var isRevisited = false
  /// A writer may still have the file open although the path names another.
  var mayGrow = true
  /// Modification time at which the bytes before ``offset`` were last compared.
  var verified: Int64?
  /// What to announce before the first byte; `nil` where the bytes continue those before.
  var restart: TailRestart.Reason?
  /// A line that was read before and may be in this file, further on than the start.
  var lastLine = LastLine.none

  /// It was begun at its start because the saved place is nowhere.
  var isPlaceLost = false

  init(token: FileToken, status: FileStatus, now: MonotonicInstant, restart: TailRestart.Reason?) {
    self.token = token
    self.status = status
    self.lastGrowth = now
    self.restart = restart
  }

  /// Whether the path names another file now.
  var isSuperseded: Bool { supersededAt != nil }

  /// Bytes of a line whose end was not read yet.
  var halfLine: UInt64 { offset - lineStart }

  /// Begins at a line start, as proven by the mark before it.
  mutating func begin(at mark: TailMark) {
    offset = mark.offset
    lineStart = mark.offset
    self.mark = mark.isEmpty ? nil : mark
    trail.cut(after: mark.offset)
    if !mark.isEmpty { trail.append(mark) }
    verified = nil
  }

  /// Goes back to the start of the half line, so that it can be delivered once more and whole.
  mutating func rewindToLineStart() {
    begin(at: trail.last ?? .start)
  }

  /// Begins behind the last line of a file that was read before.
  mutating func goOn(after trail: TailMarkTrail, restart reason: TailRestart.Reason) {
    self.trail = trail
    begin(at: trail.last ?? .start)
    restart = reason
  }

  /// Forgets what was read: the file has new content from the first byte on.
  mutating func beginNewEpoch(restart reason: TailRestart.Reason) {
    lastLine = trail.last.map(LastLine.known) ?? .none
    begin(at: .start)
    status.size = 0
    lost = 0
    restart = reason
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

  /// Behind the last newline that was delivered.
  let lineStart: UInt64
  let trail: TailMarkTrail
  let links: Int

  init(_ segment: TailSegment) {
    lineStart = segment.lineStart
    trail = segment.trail
    links = segment.status.links
  }

  /// A file that was there before the tail began, and is not read.
  init(end: TailMark) {
    lineStart = end.offset
    var trail = TailMarkTrail()
    trail.append(end)
    self.trail = trail
    links = 1
  }

  /// Where to go on when the file has grown or is followed again.
  var resumption: TailMark { trail.last ?? .start }
}

/// The line behind which a file that was written anew is to be read on.
enum LastLine: Hashable, Sendable {
  case none
  /// The last line of whatever is read before this file.
  case ofPredecessor
  case known(TailMark)
}
