package import Platform

/// Decides how one path is followed; does nothing itself.
///
/// It takes an observation and returns the next actions. They are performed depth first: the consequences of one action come
/// before the next action of the same answer.
///
/// The queue ``segments`` holds open files, oldest first. Only the first is read; the last is the one that the path
/// names, unless it is superseded. A superseded file is read until it was quiet for a second, and for five at most, because
/// writers go on for a while in a file that was renamed under them. Then it stays open (``late``), and
/// later lines are read as soon as they are seen. Before a new file is queued, the rotated files beside the path are checked:
/// between two checks the path may have named several files.
///
/// A file is "the same" by the lines before the offset (``TailMark``), compared at every read.
///
/// Some things it cannot know: a file that came and went between two checks; lines that were written and truncated away unseen
/// (the truncation itself is reported). While a superseded file is held, the new one waits, so lines come in the
/// order of the stream at the price of a second after each rotation. A link that leads back to a held file is
/// followed at once, without a check for files rotated in between.
package struct TailStateMachine: Sendable {
  let options: Options

  package internal(set) var state = TailState.starting
  /// When ``woken(at:)`` is wanted even if nothing changes; by the clock that is passed in.
  package internal(set) var deadline: MonotonicInstant?

  var now = MonotonicInstant(0)
  var segments: [TailSegment] = []
  /// Read to their ends and left, oldest first.
  var late: [LateFile] = []
  var finished: [FinishedFile] = []
  var known: Set<FileFingerprint> = []
  var step = Step.idle
  var hasBegun = false
  /// True if any file was ever under the path.
  var hasFollowed = false
  /// Where another process had read to, until it was found again.
  var resumption: TailPosition?
  /// How far the file was read that was closed last.
  var left: TailPosition?
  /// The time since when nothing is under the path, while that is not reported yet.
  var missingSince: MonotonicInstant?
  /// How often in a row no descriptor was to be had, up to ``exhaustionLimit``; each time it is waited twice as long.
  var exhaustions = 0
  static let exhaustionLimit = 6
  /// Reads that came back short of the mark since the last look.
  var shortReads = 0

  package init(options: Options = Options()) {
    self.options = options
    if case .after(let position) = options.start { resumption = position }
  }

  /// The answer that is awaited, where one event can mean several things.
  enum Step: Hashable, Sendable {
    case idle
    /// The last file's status is wanted, not its bytes.
    case refreshing
    case baseline
    case opening(FileToken, FileStatus)
    case cut
    case comparing
    /// The beginning of a long line is compared, of which the mark has the end.
    case verifying
    case window
    case cuttingBack
    case searching
    /// The rotated files are wanted once more before the file under the path is begun.
    case promoting
  }

  /// The tail was started.
  package mutating func started(at now: MonotonicInstant) -> [TailAction] {
    woken(at: now)
  }

  /// Something may have changed, or the deadline has come.
  package mutating func woken(at now: MonotonicInstant) -> [TailAction] {
    self.now = now
    deadline = nil
    shortReads = 0
    // The path first: what the first file still holds must not keep a rotation from being seen.
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
  /// Where the first file is begun.
  package enum Start: Hashable, Sendable {
    case beginning
    /// At a line start about this many bytes before the end.
    case window(UInt64)
    /// Behind what another process has read; see ``TailPosition``.
    case after(TailPosition)
  }

  /// How a path is followed.
  package struct Options: Hashable, Sendable {
    package var start = Start.beginning
    /// Seconds without growth after which a superseded file is left for the next one.
    package var quietPeriod = 1.0
    /// Seconds after which it is left even if it grows: the next one must not wait for ever.
    package var supersededPeriod = 5.0
    /// Seconds without growth after which a file that was left is closed.
    package var latePeriod = 60.0
    /// Seconds between two looks at it; not all names that files are rotated to are watched.
    package var latePoll = 1.0
    /// How many that were left are held open at most.
    package var lateFiles = 4
    /// Seconds until something that failed is tried again.
    package var retryPeriod = 1.0
    /// Seconds until a missing path is reported: a rotation removes the name for a moment.
    package var missingPeriod = 0.25
    /// Bytes of one read.
    package var chunk = 256 * 1024

    package init(start: Start = .beginning) {
      self.start = start
    }
  }
}
