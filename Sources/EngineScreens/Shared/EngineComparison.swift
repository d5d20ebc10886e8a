import Codecs
package import Platform

/// The name of a branch on the screen.
package enum BranchName {
  /// `t1` is the main branch.
  package static func text(_ branch: Int) -> String { "t\(branch.addingReportingOverflow(1).partialValue)" }
}

/// Two branches since their fork, on one time scale.
///
/// Computed from the record alone. A branch without entries for a while, because no event is due in it, counts as
/// having reached the same time as the other one.
package struct EngineComparison<Engine: FoldedEngine>: Sendable, Equatable {
  /// The behaviour of one of the branches.
  package struct Side: Sendable, Equatable {
    /// Its number; 0 is the main branch.
    package let branch: Int
    /// Number of times the breaker opened.
    package let opens: Int
    /// The longest wait of any change, in seconds: from its creation to its acknowledgement, or to the end while it
    /// still waits.
    package let secondsLate: Double
    /// Maximum length of the queue.
    package let peak: Int
    /// Number of changes the server accepted.
    package let acknowledged: Int
    /// The longest queue in each column; `nil` beyond the end of the branch.
    package let depths: [Double?]
  }

  package let one: Side
  package let other: Side
  /// The time of the fork.
  package let start: Timestamp
  /// The end of the scale.
  package let end: Timestamp

  /// - Parameters:
  ///   - log: The record.
  ///   - one: The reference branch.
  ///   - other: The branch compared with it.
  ///   - until: The end; `nil` for the end of the record.
  ///   - columns: Number of columns of the scale.
  /// - Returns: `nil` for branches without a common ancestor.
  package init?(log: EngineLog<Engine>, of one: Int, and other: Int, until: Timestamp? = nil, columns: Int) {
    guard let parting = log.parting(of: one, and: other) else { return nil }
    start = parting.moment
    let ends = [log.end(of: one), log.end(of: other)]
    let last = min(until ?? .distantFuture, ends.max() ?? start)
    end = max(start, last)
    func side(_ branch: Int, _ stretches: [LogStretch], reached: Timestamp) -> Side {
      Side(
        log: log, branch, stretches, from: parting.moment, until: until ?? .distantFuture,
        to: max(parting.moment, last),
        reached: reached, columns: columns)
    }
    let reaches = [one, other].map { log.reach(of: $0, upTo: max(parting.moment, last)) }
    self.one = side(one, parting.one, reached: reaches[0])
    self.other = side(other, parting.other, reached: reaches[1])
  }

  /// The difference of the other branch, in one line: `t2: 2 opens fewer, 29 s less late, queue peak 12 -> 4`.
  package var difference: String {
    var words: [String] = []
    let opens = other.opens - one.opens
    if opens != 0 {
      let count = NumberFormat.count(opens.magnitude > Int.max.magnitude ? .max : abs(opens))
      words.append("\(count) open\(abs(opens) == 1 ? "" : "s") \(opens < 0 ? "fewer" : "more")")
    }
    let late = other.secondsLate - one.secondsLate
    if late.magnitude >= 0.05 {
      let decimals = late.magnitude < 9.95 && late.magnitude != late.magnitude.rounded() ? 1 : 0
      words.append(
        "\(NumberFormat.text(late.magnitude, decimals: decimals)) s \(late < 0 ? "less" : "more") late")
    }
    if one.peak != other.peak {
      words.append("queue peak \(NumberFormat.count(one.peak)) -> \(NumberFormat.count(other.peak))")
    }
    if words.isEmpty, one.acknowledged != other.acknowledged {
      words.append(
        "done \(NumberFormat.count(one.acknowledged)) -> \(NumberFormat.count(other.acknowledged))")
    }
    return words.isEmpty
      ? "no difference so far" : "\(BranchName.text(other.branch)): \(words.joined(separator: ", "))"
  }
}

extension EngineComparison.Side {
  fileprivate init(
    log: EngineLog<Engine>, _ branch: Int, _ stretches: [LogStretch], from start: Timestamp, until: Timestamp,
    to end: Timestamp,
    reached: Timestamp, columns: Int
  ) {
    let first = stretches.first.flatMap { stretch in
      log.branch(stretch.branch)?.state(after: stretch.places.lowerBound)
    }
    var progress = (first ?? Engine()).progress
    let before = progress.pending
    for stretch in stretches {
      log.branch(stretch.branch)?.forEach(in: stretch.places) { entry in
        if entry.time <= until { Engine.fold(entry.record, at: entry.time, into: &progress) }
      }
    }
    self.branch = branch
    opens = progress.opens
    acknowledged = progress.acknowledged
    secondsLate = max(progress.longestWait, progress.longestWaiting(at: reached))
    peak = progress.depths.reduce(before) { max($0, $1.pending) }
    depths = QueueCourse.columns(
      progress.depths, before: before, from: start, to: end, reached: reached, count: columns)
  }
}

extension EngineLog {
  /// The time of a branch's newest entry.
  fileprivate func end(of branch: Int) -> Timestamp { state(of: branch).lastTime ?? .distantPast }

  /// The time a branch has reached, at most a given moment: its state does not change before the next event is due.
  fileprivate func reach(of branch: Int, upTo end: Timestamp) -> Timestamp {
    let state = state(of: branch)
    guard let last = state.lastTime else { return .distantPast }
    return min(end, max(last, state.nextStepAt ?? last))
  }
}
