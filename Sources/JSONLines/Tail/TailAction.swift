package import Platform

/// The next action for the driver, which performs it and reports the result.
package enum TailAction: Hashable, Sendable {
  /// Get the status of the path, following symbolic links: ``TailStateMachine/pathExamined(_:)``.
  case examinePath
  /// ``TailStateMachine/pathOpened(_:_:)`` or ``TailStateMachine/pathOpenFailed(_:)``.
  case openPath
  /// Find the first byte from this offset on that is not NUL, or the end of the file: ``TailStateMachine/dataFound(_:at:)``.
  case findData(FileToken, from: UInt64)
  /// ``TailStateMachine/fileExamined(_:_:)``.
  case examine(FileToken)
  /// ``TailStateMachine/bytesWereRead(_:from:at:)`` or ``TailStateMachine/readFailed(_:_:)``.
  case read(FileToken, offset: UInt64, count: Int)
  /// Deliver this part of the bytes that were just read.
  case deliver(Range<Int>, offset: UInt64)
  /// Inspect the rotated files beside the path: ``TailStateMachine/siblingsInspected(_:path:)``.
  case inspectSiblings(TailInspection)
  /// Find the last line start at or before an offset, and what precedes it: ``TailStateMachine/lineStartFound(_:_:)``.
  case findLineStart(FileToken, before: UInt64)
  /// The same this many bytes before the end of the file, or before the NUL bytes at its end.
  case findWindow(FileToken, size: UInt64, bytes: UInt64)
  /// Check that the file has these bytes at this offset: ``TailStateMachine/markCompared(_:_:)``.
  case compare(FileToken, TailMark)
  /// Find the place after the lines of one of these files: ``TailStateMachine/linesSearched(_:found:)``.
  case search(FileToken, [SoughtLines])
  case close(FileToken)
  /// Open the path again for this file, if it still leads to the file with this identity.
  case reopen(FileToken, FileIdentity)
  /// Offer the bytes before `end` for separate reading.
  case offerEarlier(FileToken, end: UInt64)
  case restart(TailRestart)
  case report(TailGap)
  case show(TailState)
}

/// A request to inspect the rotated files beside a path.
package struct TailInspection: Hashable, Sendable {
  /// Bytes to look for, each at its own offset.
  package var marks: [TailMark]
  /// Files that need no inspection if they are unchanged.
  package var known: Set<FileFingerprint>
  /// Files that are held open, whatever their current names.
  package var held: Set<FileIdentity>
  /// The newly opened file under the path, which is compared as well.
  package var path: FileToken?
  /// The file being read, with the end of its last line, to check that what was read is unchanged.
  package var front: HeldPlace?
  /// The last lines that another process read, to search for if no file has the marks.
  package var sought: SoughtLines?
  /// Only record how each file ends; no file stays open.
  package var isBaseline: Bool
}

/// A place in a file that is held open.
package struct HeldPlace: Hashable, Sendable {
  package var file: FileToken
  package var mark: TailMark
}

/// Findings about the held files, made while the rotated ones were inspected.
package struct HeldFindings: Hashable, Sendable {
  /// Held files that now have a rotated name.
  package var rotated: Set<FileIdentity> = []
  /// True if the bytes read from ``TailInspection/front`` are gone.
  package var isFrontCut = false

  package init() {}
}

/// A rotated file and the findings about it.
package struct InspectedFile: Hashable, Sendable {
  package var name: String
  package var status: FileStatus
  /// Its open file; `nil` for a known file and in a baseline.
  package var token: FileToken?
  /// Indexes of the marks that the file matches.
  package var matches: [Int]
  /// True if it is shorter than the part of ``TailInspection/front`` that was read, and has the same bytes.
  package var isPrefix = false
  /// The place after ``TailInspection/sought``, if the file has those lines.
  package var survivors: TailPlace?
  /// The end of the file, in a baseline.
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

/// Properties that survive the renaming of a finished file.
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
