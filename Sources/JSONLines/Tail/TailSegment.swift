import Platform

/// One open file in the queue of a tail, with its reading position.
struct TailSegment: Hashable, Sendable {
  let token: FileToken
  /// The last status seen; the creation time is only fetched on opening.
  var status: FileStatus { didSet { status.born = oldValue.born } }
  /// Offset of the next byte to read.
  var offset: UInt64 = 0
  /// Offset after the last newline delivered.
  var lineStart: UInt64 = 0
  /// Offset up to which only NUL bytes follow ``offset``, to the end of the file when last looked: space that a writer
  /// has reserved and has yet to fill.
  var blankEnd: UInt64 = 0
  /// True if the first of these bytes were read since the last wake.
  var isBlankRead = false
  /// Offset up to which NUL bytes inside a line belong to it, because others follow.
  var lineReaches: UInt64 = 0
  /// The bytes before ``offset``; `nil` if nothing was read yet.
  var mark: TailMark?
  var trail = TailMarkTrail()
  /// The last lines before ``lineStart``.
  var lines = LastLines()
  /// The start of the half line, if that is long.
  var head: LineHead?
  /// Modification time at the last comparison of a long line's start.
  var headVerified: Int64?
  /// Bytes known to have been after ``offset`` when the file was truncated.
  var lost: UInt64 = 0
  /// The time of the last change of size, or the time when the path was seen to refer to another file.
  var lastGrowth: MonotonicInstant
  /// The time since when the path refers to another file.
  var supersededAt: MonotonicInstant?
  /// True if reading had moved on to the next file and this one has grown since.
  var isRevisited = false
  /// True if a writer may still have the file open although the path refers to another.
  var mayGrow = true
  /// Modification time at the last comparison of the bytes before ``offset``.
  var verified: Int64?
  /// Announcement before the first byte; `nil` if the bytes continue the previous ones.
  var restart: TailRestart.Reason?
  /// Source of lines already read that may also be in this file, past its start.
  var former = Former.none

  /// True if its descriptor stands for another file by now, as its name does.
  var isReplaced = false
  /// True if reading starts at offset 0 because no file has the saved place.
  var isPlaceLost = false
  /// True if the previous file under the path was deleted along with its unread lines, unless this file or another one
  /// has what was left of it.
  var mayBeOverwritten = false

  init(token: FileToken, status: FileStatus, now: MonotonicInstant, restart: TailRestart.Reason?) {
    self.token = token
    self.status = status
    self.lastGrowth = now
    self.restart = restart
  }

  /// True if the path now refers to another file.
  var isSuperseded: Bool { supersededAt != nil }

  /// True if the writer is expected to fill the NUL bytes at the end.
  var hasBlank: Bool { blankEnd > offset }

  /// Offset after everything that was looked at.
  var end: UInt64 { max(offset, blankEnd) }

  /// Bytes read of an incomplete line.
  var halfLine: UInt64 { offset - lineStart }

  /// The bytes before the last line start, if they are enough to identify the file.
  var lastPlace: TailPlace {
    guard let mark = trail.last, mark.isTelling else { return .start }
    return TailPlace(mark: mark, lines: lines.end == mark.offset ? lines : LastLines(end: mark.offset))
  }

  /// Starts at a line start, which the mark before it proves.
  ///
  /// - Parameter lines: The lines before it; by default, only those within the mark are known.
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
    (blankEnd, isBlankRead, lineReaches) = (0, false, 0)
  }

  mutating func begin(at place: TailPlace) { begin(at: place.mark, after: place.lines) }

  /// Returns to the start of the half line, so that it can be delivered again as a whole.
  mutating func rewindToLineStart() {
    begin(at: trail.last ?? .start)
  }

  /// Starts after the last line of a file that was read before.
  mutating func goOn(after trail: TailMarkTrail, _ lines: LastLines, restart reason: TailRestart.Reason) {
    self.trail = trail
    begin(at: trail.last ?? .start, after: lines)
    restart = reason
  }

  /// Resets the position: the file has new contents from its first byte.
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

/// A file that was read to its end and closed; remembered so that it is not read twice.
struct FinishedFile: Hashable, Sendable {
  /// Maximum number of remembered files.
  static let capacity = 32

  /// Offset after the last newline delivered.
  let lineStart: UInt64
  let trail: TailMarkTrail
  let lines: LastLines
  /// The last status seen.
  let status: FileStatus
  /// True if it was truncated and no copy of what was read was found; a copy may still appear.
  let wasCut: Bool

  init(_ segment: TailSegment, wasCut: Bool = false) {
    lineStart = segment.lineStart
    trail = segment.trail
    lines = segment.lastPlace.lines
    status = segment.status
    self.wasCut = wasCut
  }

  /// A file that existed before the tail started, and is not read.
  init(end: TailPlace, _ status: FileStatus) {
    lineStart = end.mark.offset
    var trail = TailMarkTrail()
    trail.append(end.mark)
    self.trail = trail
    lines = end.lines
    self.status = status
    wasCut = false
  }

  /// A file that another process read up to a position.
  init(_ position: TailPosition) {
    self.init(
      end: position.place,
      FileStatus(
        kind: .regular, identity: position.identity, size: position.mark.offset, modified: position.modified,
        born: position.born))
  }

  /// True if a file that was found is this one, judging by its number.
  func isSame(as other: FileStatus) -> Bool {
    FileIdentity.areOne((status.identity, status.born), other)
  }

  /// Minimum number of matching unique lines for a file that took the path to count as the remainder of this one; `nil`
  /// if it cannot be that.
  ///
  /// A file that still has a name was renamed: whatever has its path now is new. A file whose last name was removed
  /// before the other was created was deleted. In all other cases it is unknown whether it was replaced, or renamed
  /// first and then deleted.
  func proof(for other: FileStatus) -> Int? {
    guard status.links == 0 else { return nil }
    guard let born = other.born else { return 1 }
    return born < status.changed ? LastLines.proof : nil
  }
}

/// The file that this one may have replaced, with what was read of it.
enum Former: Hashable, Sendable {
  case none
  /// A file that was held when this one appeared, and had its path.
  case file(FileIdentity)
  /// Files that were read and no longer have a name, for a rotated file that was never seen: a compaction changes these
  /// too.
  case gone(Set<FileIdentity>)
}
