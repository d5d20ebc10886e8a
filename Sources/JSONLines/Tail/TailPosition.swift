package import Platform

/// The position in a path: the place after the last whole line that was delivered, with proof of the lines before it.
///
/// Saved by one process and given to the next as ``TailStateMachine/Start/after(_:)``.
package struct TailPosition: Hashable, Sendable {
  /// The file under the path, or the rotated one that was still being read.
  package var identity: FileIdentity
  /// When that file was made, if that is known.
  package var born: Int64?
  /// When that file was last changed, in nanoseconds since 1970: rotated files that are younger were not read.
  package var modified: Int64
  /// The place in the file and the bytes before it; at offset 0, with no bytes, while too little was read to know it by.
  package var mark: TailMark
  /// The last lines before the place; none of a position that an earlier version has saved.
  package var lines: LastLines
  /// The positions in rotated files that may still be written to, without their last lines; oldest first.
  package var late: [TailPosition]
  /// As many of these as are kept.
  package static let lateCapacity = 4

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

  /// The same beside the position of the file that came after; `nil` where too little was read to know the file by.
  var asLate: TailPosition? {
    guard mark.isTelling else { return nil }
    return TailPosition(identity: identity, born: born, modified: modified, mark: mark)
  }

  /// Marks of the rotated files that were watched, and last of this one, if it has enough bytes to be recognized.
  var marks: [TailMark] { late.map(\.mark) + (mark.isTelling ? [mark] : []) }

  /// True if a file has the bytes before the place.
  func fits(_ file: InspectedFile) -> Bool { file.matches.contains(late.count) }

  /// The lines to look for in a file that may have the rest; `nil` if they prove too little.
  var sought: SoughtLines? {
    mark.isTelling && lines.areTelling ? SoughtLines(lines: lines, proof: LastLines.proof) : nil
  }

  /// The place, as a file has it that is read from there on.
  var place: TailPlace { TailPlace(mark: mark, lines: lines) }

  /// True if a file that was found is the one that was read, as far as its number says; the system gives that to another file once
  /// this one is gone, and other numbers to its devices when it starts again.
  func isIn(_ status: FileStatus) -> Bool { FileIdentity.areOne((identity, born), status) }
}

extension FileIdentity {
  /// True if a file that was seen earlier is the one that is seen now.
  package static func areOne(_ old: (identity: FileIdentity, born: Int64?), _ new: FileStatus) -> Bool {
    guard let born = old.born, let other = new.born else { return old.identity == new.identity }
    return old.identity.inode == new.identity.inode && born == other
  }
}
