package import Platform

/// How far a path was read: the place behind the last whole line that was delivered, with proof of what is before it.
///
/// Saved by one process and given to the next as ``TailStateMachine/Start/after(_:)``.
package struct TailPosition: Hashable, Sendable {
  /// The file under the path, or the rotated one that was still being read.
  package var identity: FileIdentity
  /// When that file was last changed, in nanoseconds since 1970: rotated files that are younger were not read.
  package var modified: Int64
  /// The place in the file and the bytes before it; at offset 0, with no bytes, while too little was read to know it by.
  package var mark: TailMark

  package init(identity: FileIdentity, modified: Int64, mark: TailMark) {
    self.identity = identity
    self.modified = modified
    self.mark = mark
  }

  init(_ segment: TailSegment) {
    self.init(
      identity: segment.status.identity, modified: segment.status.modified,
      mark: segment.trail.last.flatMap { $0.isTelling ? $0 : nil } ?? .start)
  }
}
