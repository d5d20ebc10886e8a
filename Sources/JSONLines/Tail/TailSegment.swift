import Platform

/// One open file in the queue of a tail, with how far it was read.
struct TailSegment: Hashable, Sendable {
  let token: FileToken
  /// As last seen; when it was made is only asked for when it is opened.
  var status: FileStatus { didSet { status.born = oldValue.born } }
  /// Next byte to read.
  var offset: UInt64 = 0
  /// Behind the last newline that was delivered.
  var lineStart: UInt64 = 0
  /// The bytes before ``offset``; `nil` while nothing was read.
  var mark: TailMark?
  var trail = TailMarkTrail()
  /// The last lines before ``lineStart``.
  var lines = LastLines()
  /// How the half line begins, if it is long.
  var head: LineHead?
  /// Modification time at which the beginning of a long line was last compared.
  var headVerified: Int64?
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
  /// Announcement before the first byte; `nil` where the bytes continue the previous ones.
  var restart: TailRestart.Reason?
  /// Lines read before that may occur in this file, further on than the start.
  var former = Former.none

  /// It was begun at its start because the saved place is nowhere.
  var isPlaceLost = false
  /// The file that had the path before was deleted, with what had come to it since, unless this one or another has what was
  /// left of it.
  var mayBeOverwritten = false

  init(token: FileToken, status: FileStatus, now: MonotonicInstant, restart: TailRestart.Reason?) {
    self.token = token
    self.status = status
    self.lastGrowth = now
    self.restart = restart
  }

  /// True if the path names another file now.
  var isSuperseded: Bool { supersededAt != nil }

  /// Bytes of a line whose end was not read yet.
  var halfLine: UInt64 { offset - lineStart }

  /// The bytes before the last line start, if they suffice to recognize the file.
  var lastPlace: TailPlace {
    guard let mark = trail.last, mark.isTelling else { return .start }
    return TailPlace(mark: mark, lines: lines.end == mark.offset ? lines : LastLines(end: mark.offset))
  }

  /// Begins at a line start, as proven by the mark before it.
  ///
  /// - Parameter lines: The lines before it; only those that end there are known.
  mutating func begin(at mark: TailMark, after lines: LastLines? = nil) {
    offset = mark.offset
    lineStart = mark.offset
    self.mark = mark.isEmpty ? nil : mark
    trail.cut(after: mark.offset)
    if !mark.isEmpty { trail.append(mark) }
    if let lines { self.lines = lines }
    if self.lines.end != mark.offset { self.lines = LastLines(end: mark.offset) }
    verified = nil
    (head, headVerified) = (nil, nil)
  }

  mutating func begin(at place: TailPlace) { begin(at: place.mark, after: place.lines) }

  /// Goes back to the start of the half line, so that it can be delivered once more and whole.
  mutating func rewindToLineStart() {
    begin(at: trail.last ?? .start)
  }

  /// Begins behind the last line of a file that was read before.
  mutating func goOn(after trail: TailMarkTrail, _ lines: LastLines, restart reason: TailRestart.Reason) {
    self.trail = trail
    begin(at: trail.last ?? .start, after: lines)
    restart = reason
  }

  /// Resets the position: the file has new content from the first byte on.
  mutating func beginNewEpoch(restart reason: TailRestart.Reason) {
    former = .none
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
  let lines: LastLines
  /// As it was seen last.
  let status: FileStatus
  /// It was cut then, and no copy of what was read was found: it may come to be seen.
  let wasCut: Bool

  init(_ segment: TailSegment, wasCut: Bool = false) {
    lineStart = segment.lineStart
    trail = segment.trail
    lines = segment.lastPlace.lines
    status = segment.status
    self.wasCut = wasCut
  }

  /// A file that was there before the tail began, and is not read.
  init(end: TailPlace, _ status: FileStatus) {
    lineStart = end.mark.offset
    var trail = TailMarkTrail()
    trail.append(end.mark)
    self.trail = trail
    lines = end.lines
    self.status = status
    wasCut = false
  }

  /// A file that another process has read up to a place.
  init(_ position: TailPosition) {
    self.init(
      end: position.place,
      FileStatus(
        kind: .regular, identity: position.identity, size: position.mark.offset, modified: position.modified,
        born: position.born))
  }

  /// True if a file that was found is this one, as far as its number says.
  func isSame(as other: FileStatus) -> Bool {
    FileIdentity.areOne((status.identity, status.born), other)
  }

  /// How much has to agree before a file that took the path may be taken for what was left of this one; `nil` if it cannot be that.
  ///
  /// A file that still has a name was renamed: whatever has its path now is new. One whose last name went before the other was
  /// made was deleted. What else took its place, or whether it was renamed first and deleted then, no one can say.
  func proof(for other: FileStatus) -> Int? {
    guard status.links == 0 else { return nil }
    guard let born = other.born else { return 1 }
    return born < status.changed ? LastLines.proof : nil
  }
}

/// The file that this one may have replaced, as far as it was read.
enum Former: Hashable, Sendable {
  case none
  /// A file that was held when this one came, and had its path.
  case file(FileIdentity)
  /// Files that were read and have no name any more, of a rotated file that was never seen: a compaction changes these too.
  case gone(Set<FileIdentity>)
}
