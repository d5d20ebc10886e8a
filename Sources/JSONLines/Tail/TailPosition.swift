package import Platform

/// The position in a path: the place after the last complete line delivered, with evidence of the lines before it.
///
/// Saved by one process and passed to the next as ``TailStateMachine/Start/after(_:)``.
package struct TailPosition: Hashable, Sendable {
  /// The file under the path, or the rotated one that was still being read.
  package var identity: FileIdentity
  /// Creation time of that file, if known.
  package var born: Int64?
  /// Modification time of that file, in nanoseconds since 1970: rotated files modified later were not read.
  package var modified: Int64
  /// The place in the file and the bytes before it; offset 0 without bytes if too little was read to identify the file.
  package var mark: TailMark
  /// The last lines before the place; empty for a position saved by an earlier version.
  package var lines: LastLines
  /// The positions in rotated files that may still grow, without their last lines; oldest first.
  package var late: [TailPosition]
  /// Maximum number of such positions.
  package static let lateCapacity = 4
  /// The place in the numbered samples of the file, if they are sent elsewhere.
  package var stream: StreamPlace?

  package init(
    identity: FileIdentity, born: Int64? = nil, modified: Int64, mark: TailMark, lines: LastLines? = nil,
    late: [TailPosition] = []
  ) {
    self.identity = identity
    self.born = born
    self.modified = modified
    self.mark = mark
    self.lines = lines ?? LastLines(end: mark.offset)
    self.late = late
  }

  init(_ segment: TailSegment) {
    let place = segment.lastPlace
    self.init(
      identity: segment.status.identity, born: segment.status.born, modified: segment.status.modified,
      mark: place.mark, lines: place.lines.saved)
  }

  /// The same position, kept beside that of the next file; `nil` if too little was read to identify the file.
  var asLate: TailPosition? {
    guard mark.isTelling else { return nil }
    var position = TailPosition(identity: identity, born: born, modified: modified, mark: mark)
    position.stream = stream
    return position
  }

  /// Marks of the watched rotated files, then that of this file if it has enough bytes to be recognized.
  var marks: [TailMark] { late.map(\.mark) + (mark.isTelling ? [mark] : []) }

  /// True if a file has the bytes before the place.
  func fits(_ file: InspectedFile) -> Bool { file.matches.contains(late.count) }

  /// The lines to search for in a file that may have the rest; `nil` if they prove too little.
  var sought: SoughtLines? {
    mark.isTelling && lines.areTelling ? SoughtLines(lines: lines, proof: LastLines.proof) : nil
  }

  /// The place, as needed to continue reading a file from there.
  var place: TailPlace { TailPlace(mark: mark, lines: lines) }

  /// True if a file that was found is the one that was read, judging by its number; the system reuses the number once
  /// the file is gone, and renumbers devices on restart.
  func isIn(_ status: FileStatus) -> Bool { FileIdentity.areOne((identity, born), status) }
}

extension FileIdentity {
  /// True if a file seen earlier is the one seen now.
  package static func areOne(_ old: (identity: FileIdentity, born: Int64?), _ new: FileStatus) -> Bool {
    guard let born = old.born, let other = new.born else { return old.identity == new.identity }
    return old.identity.inode == new.identity.inode && born == other
  }
}
