package import JSONLines
package import Platform

/// Facts about one followed file for the screen.
package struct FileReport: Sendable, Equatable {
  /// As given by the user.
  package var name: String
  package var state = TailState.starting
  /// Offset behind the last byte read, in the file currently followed.
  package var size: UInt64 = 0
  /// Lines read so far, in all files with this name.
  package var lines = 0
  /// Rejected lines by reason.
  package var rejected: [RejectionReason: Int] = [:]
  package var rotations = 0
  package var truncations = 0
  /// Parts that could not be read: bytes known to be lost, by reason.
  package var gaps: [TailGap.Reason: UInt64] = [:]
  /// The way in which it is looked at, if events do not tell of all its changes.
  package var polling: String?
  /// Time of the newest sample.
  package var newestTime: Timestamp?

  package init(name: String) {
    self.name = name
  }
}

/// Maintains the report of one followed file.
struct FileAccount: Sendable {
  /// Maximum rejections kept for display.
  static let rejectionLimit = 200

  private(set) var report: FileReport
  private var live: [Rejection] = []
  private var earlier: [Rejection] = []
  /// Lines before the tail's start; `nil` until known.
  private var linesBefore: Int? = 0
  /// True if the current file has been read from its start.
  private var isLineKnown = true
  private var blocks: [Range<UInt64>: (lines: Int, rejections: [Rejection])] = [:]
  private var pendingBlocks = 0
  /// Number of rejections in `blocks`.
  private var waitingRejections = 0

  init(name: String) {
    report = FileReport(name: name)
  }

  // MARK: The tail

  mutating func read(to offset: UInt64, lines: Int, rejected log: RejectionLog, before: RejectionLog) {
    report.size = offset
    report.lines += lines
    take(log, before: before)
  }

  mutating func saw(newest time: Timestamp) {
    guard time.seconds.isFinite else { return }
    report.newestTime = max(report.newestTime ?? time, time)
  }

  /// Resets the time of the newest sample, for a rewritten file.
  mutating func forgetNewest() { report.newestTime = nil }

  mutating func saw(_ state: TailState) {
    report.state = state
  }

  mutating func saw(polling text: String) { report.polling = text }

  mutating func saw(_ gap: TailGap) {
    report.gaps[gap.reason, default: 0] += gap.bytes
  }

  mutating func saw(_ restart: TailRestart) {
    switch restart.reason {
    case .rotated, .recreated: report.rotations += 1
    case .truncated: report.truncations += 1
    case .began, .resumed, .compacted: break
    // Lines are still counted.
    case .cutBack, .continued: return
    }
    // If reading continues in the middle of a file, the number of lines before is unknown.
    isLineKnown = ![.resumed, .compacted].contains(restart.reason) || restart.offset == 0
  }

  private mutating func take(_ log: RejectionLog, before: RejectionLog) {
    guard log.total > before.total else { return }
    for (reason, count) in log.counts {
      report.rejected[reason, default: 0] += count - (before.counts[reason] ?? 0)
    }
    live += log.recent.suffix(min(log.total - before.total, Self.rejectionLimit))
    live.removeFirst(max(0, live.count - Self.rejectionLimit))
  }

  // MARK: Earlier data

  mutating func willRead(blocks count: Int) {
    pendingBlocks = count
    linesBefore = count == 0 ? linesBefore : nil
  }

  mutating func readEarlier(_ block: Range<UInt64>, lines: Int, rejected log: RejectionLog) {
    report.lines += lines
    for (reason, count) in log.counts { report.rejected[reason, default: 0] += count }
    // The last blocks arrive first: once enough rejections are kept, those of earlier blocks would never be shown.
    let kept = log.recent.suffix(Self.rejectionLimit - waitingRejections)
    waitingRejections += kept.count
    blocks[block] = (lines, Array(kept))
    pendingBlocks -= 1
    if pendingBlocks == 0 { numberLines() }
  }

  /// Line numbers are known only after all blocks have been read.
  private mutating func numberLines() {
    var lines = 0
    for (_, block) in blocks.sorted(by: { $0.key.lowerBound < $1.key.lowerBound }) {
      earlier += block.rejections.map { rejection in
        var rejection = rejection
        rejection.line += lines
        return rejection
      }
      lines += block.lines
    }
    earlier.removeFirst(max(0, earlier.count - Self.rejectionLimit))
    (blocks, waitingRejections) = ([:], 0)
    linesBefore = lines
  }

  /// The newest rejections, oldest first, with line numbers if known.
  func rejections(limit: Int) -> [(rejection: Rejection, line: Int?)] {
    let before = earlier.map { ($0, Optional($0.line)) }
    let waiting = blocks.values.flatMap(\.rejections).sorted { $0.offset < $1.offset }.map { ($0, Int?.none) }
    // After a rotation, lines are counted from the new file's start.
    let base = report.rotations + report.truncations == 0 ? linesBefore : isLineKnown ? 0 : nil
    let recent = live.map { rejection in (rejection, base.map { rejection.line + $0 }) }
    return (before + waiting + recent).suffix(limit).map { (rejection: $0.0, line: $0.1) }
  }
}
