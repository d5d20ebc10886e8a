package import Platform

/// The next action for the driver, which performs it and reports the result.
package enum TailAction: Hashable, Sendable {
  /// Look what the path names, following symbolic links: ``TailStateMachine/pathExamined(_:)``.
  case examinePath
  /// ``TailStateMachine/pathOpened(_:_:)`` or ``TailStateMachine/pathOpenFailed(_:)``.
  case openPath
  /// Look where the hole ends that may be at this place: ``TailStateMachine/dataFound(_:at:)``.
  case findData(FileToken, from: UInt64)
  /// ``TailStateMachine/fileExamined(_:_:)``.
  case examine(FileToken)
  /// ``TailStateMachine/bytesWereRead(_:from:at:)`` or ``TailStateMachine/readFailed(_:_:)``.
  case read(FileToken, offset: UInt64, count: Int)
  /// Hand on this part of the bytes that were just read.
  case deliver(Range<Int>, offset: UInt64)
  /// Look at the rotated files beside the path: ``TailStateMachine/siblingsInspected(_:path:)``.
  case inspectSiblings(TailInspection)
  /// Find the last line start that is not after an offset, and what is before it: ``TailStateMachine/lineStartFound(_:_:)``.
  case findLineStart(FileToken, before: UInt64)
  /// Say whether the file has these bytes at this place: ``TailStateMachine/markCompared(_:_:)``.
  case compare(FileToken, TailMark)
  /// Look for the place behind the lines of one of these files: ``TailStateMachine/linesSearched(_:found:)``.
  case search(FileToken, [SoughtLines])
  case close(FileToken)
  /// Offer what is before `end` to be read apart.
  case offerEarlier(FileToken, end: UInt64)
  case restart(TailRestart)
  case report(TailGap)
  case show(TailState)
}

/// How the rotated files beside a path are to be looked at.
package struct TailInspection: Hashable, Sendable {
  /// Bytes to look for, each at its own offset.
  package var marks: [TailMark]
  /// Files that need no look: still as they were.
  package var known: Set<FileFingerprint>
  /// Files that are held open, under whatever name they now have.
  package var held: Set<FileIdentity>
  /// The newly opened file under the path, to be compared as well.
  package var path: FileToken?
  /// The file that is being read, with the end of its last line, to see whether it is still as it was read.
  package var front: HeldPlace?
  /// The last lines that another process has read, to be looked for where no file has the marks.
  package var sought: SoughtLines?
  /// Only note how each file ends now; nothing stays open.
  package var isBaseline: Bool
}

/// A place in a file that is held open.
package struct HeldPlace: Hashable, Sendable {
  package var file: FileToken
  package var mark: TailMark
}

/// Observations of the held files, made while the rotated ones were examined.
package struct HeldFindings: Hashable, Sendable {
  /// Those that have the name of a rotated file.
  package var rotated: Set<FileIdentity> = []
  /// True if the bytes read of ``TailInspection/front`` are gone.
  package var isFrontCut = false

  package init() {}
}

/// A rotated file as it was found.
package struct InspectedFile: Hashable, Sendable {
  package var name: String
  package var status: FileStatus
  /// Open from now on; `nil` for a known file and in a baseline.
  package var token: FileToken?
  /// Indexes of the marks whose bytes the file has.
  package var matches: [Int]
  /// It is shorter than the part of ``TailInspection/front`` that was read, with the same bytes.
  package var isPrefix = false
  /// The place behind ``TailInspection/sought``, if it is there.
  package var survivors: TailPlace?
  /// How the file ends, in a baseline.
  package var end: TailPlace?

  package init(
    name: String, status: FileStatus, token: FileToken? = nil, matches: [Int] = [], end: TailPlace? = nil
  ) {
    self.name = name
    self.status = status
    self.token = token
    self.matches = matches
    self.end = end
  }
}

/// Properties that stay equal when a finished file is renamed.
package struct FileFingerprint: Hashable, Sendable {
  package var identity: FileIdentity
  package var size: UInt64
  package var modified: Int64

  package init(_ status: FileStatus) {
    identity = status.identity
    size = status.size
    modified = status.modified
  }
}
