package import Platform

/// Decides how one path is followed; does nothing itself.
///
/// It takes an observation and returns the next actions. They are performed depth first: the consequences of one action
/// come before the next action of the same answer.
///
/// The queue ``segments`` holds open files, oldest first. Only the first is read; the last is the one at the path,
/// unless it is superseded. A superseded file is read until it has been quiet for a second, or for five at most,
/// because writers continue for a while in a file that was renamed under them. Then it stays open (``late``), and later
/// lines are read as soon as they are seen. Before a new file is queued, the rotated files beside the path are
/// inspected: between two checks the path may have referred to several files.
///
/// A file is "the same" by the lines before the offset (``TailMark``), compared at every read.
///
/// Some things it cannot know: a file that came and went between two checks; lines that were written and truncated away
/// unseen (the truncation itself is reported). While a superseded file is held, the new one waits, so lines arrive in
/// stream order at the price of a second after each rotation. A link that points back to a held file is followed at
/// once, without a check for files rotated in between.
package struct TailStateMachine: Sendable {
  let options: Options

  package internal(set) var state = TailState.starting
  /// The time at which ``woken(at:)`` is needed even if nothing changes, on the caller's clock.
  package internal(set) var deadline: MonotonicInstant?

  var now = MonotonicInstant(0)
  var segments: [TailSegment] = []
  /// Files read to their ends and left, oldest first.
  var late: [LateFile] = []
  var finished: [FinishedFile] = []
  var known: Set<FileFingerprint> = []
  var step = Step.idle
  var hasBegun = false
  /// True once any file was under the path.
  var hasFollowed = false
  /// The position of an earlier process, until it was found.
  var resumption: TailPosition?
  /// The position in the file that was closed last.
  var left: TailPosition?
  /// The time since when the path is missing, until that is reported.
  var missingSince: MonotonicInstant?
  /// Number of consecutive failures to get a descriptor, up to ``exhaustionLimit``; each one doubles the delay.
  var exhaustions = 0
  static let exhaustionLimit = 6
  /// True if others change the files too.
  ///
  /// Their contents are up to date only after opening, and some file systems answer for a descriptor with what its name
  /// leads to by now.
  package var isShared = false
  /// True if descriptors were seen to stand for whatever has their file's name.
  var handlesAreNames = false
  /// Reads that ended before the mark since the last look.
  var shortReads = 0

  package init(options: Options = Options()) {
    self.options = options
    if case .after(let position) = options.start { resumption = position }
  }

  /// The awaited answer, for events that can mean several things.
  enum Step: Hashable, Sendable {
    case idle
    /// Only the status of the last file is needed, not its bytes.
    case refreshing
    case baseline
    case opening(FileToken, FileStatus)
    case cut
    case comparing
    /// The start of a long line is compared, of which the mark has only the end.
    case verifying
    case window
    case cuttingBack
    case searching
    /// The rotated files are inspected once more before reading of the file under the path starts.
    case promoting
  }

  /// The tail was started.
  package mutating func started(at now: MonotonicInstant) -> [TailAction] {
    woken(at: now)
  }

  /// Something may have changed, or the deadline is reached.
  package mutating func woken(at now: MonotonicInstant) -> [TailAction] {
    self.now = now
    deadline = nil
    shortReads = 0
    if !segments.isEmpty { segments[0].isBlankRead = false }
    // The path first: what the first file still holds must not delay the detection of a rotation.
    return [.examinePath] + segments.dropFirst().map { .examine($0.token) }
      + segments.prefix(1).map { .examine($0.token) } + late.map { .examine($0.segment.token) }
  }

  /// Files that are held open.
  package var heldFiles: [FileToken] { segments.map(\.token) + late.map(\.segment.token) }

  mutating func show(_ new: TailState) -> [TailAction] {
    guard new != state else { return [] }
    state = new
    return [.show(new)]
  }

  mutating func wakeBy(_ time: MonotonicInstant) {
    deadline = min(deadline ?? time, time)
  }
}

extension TailStateMachine {
  /// The start of reading in the first file.
  package enum Start: Hashable, Sendable {
    case beginning
    /// At a line start about this many bytes before the end.
    case window(UInt64)
    /// After what another process read; see ``TailPosition``.
    case after(TailPosition)
  }

  /// The options for following a path.
  package struct Options: Hashable, Sendable {
    package var start = Start.beginning
    /// Seconds without growth until a superseded file is left for the next one.
    package var quietPeriod = 1.0
    /// Seconds until it is left even if it grows: the next one must not wait forever.
    package var supersededPeriod = 5.0
    /// Seconds without growth until a file that was left is closed.
    package var latePeriod = 60.0
    /// Seconds between two looks at it; not every rotated name is watched.
    package var latePoll = 1.0
    /// Maximum number of left files held open.
    package var lateFiles = 4
    /// Seconds until a failed operation is retried.
    package var retryPeriod = 1.0
    /// Seconds until a missing path is reported: a rotation briefly removes the name.
    package var missingPeriod = 0.25
    /// Seconds between two looks at space that a writer has reserved at the end of a file.
    package var blankPoll = 1.0
    /// The same once nothing was written there for ``idleAfter`` seconds.
    package var idleBlankPoll = 5.0
    package var idleAfter = 600.0
    /// Bytes per read.
    package var chunk = 256 * 1024

    package init(start: Start = .beginning) {
      self.start = start
    }
  }
}
