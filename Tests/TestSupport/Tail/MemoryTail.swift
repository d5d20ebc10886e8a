package import JSONLines
package import Platform

/// A set of tails over files in memory, woken only at its own deadlines, as if no event ever came.
package final class MemoryTail {
  package let set: TailSet
  package private(set) var now = MonotonicInstant(1000)
  package private(set) var lines: [String] = []
  package private(set) var polled: [PollReason] = []
  package private(set) var restarts: [TailRestart.Reason] = []
  package private(set) var gaps: [TailGap] = []
  /// Number of looks.
  package private(set) var looks = 0
  private var half: [Int: [UInt8]] = [:]

  package init(
    _ sources: [TailSource], in files: MemoryFileSystem, _ polling: PollOptions = PollOptions(),
    watcher: any ChangeWatcher = NoWatcher(), start: TailStateMachine.Start = .beginning
  ) {
    set = TailSet(
      sources: sources, fileSystem: files, watcher: watcher, polling: polling,
      options: TailStateMachine.Options(start: start))
    look()
  }

  /// Lets time pass; looks when a deadline is reached.
  package func pass(_ seconds: Double) {
    let end = now + seconds
    while let deadline = set.deadline(now: now), deadline <= end {
      now = max(now, deadline)
      look()
    }
    now = end
  }

  /// Looks now, as if something else had woken the thread.
  package func look() {
    looks += 1
    set.look(at: now)
    repeat { set.run(at: now) { take($0, $1) } } while set.isBusy
  }

  private func take(_ member: TailMember, _ output: TailOutput) {
    switch output {
    case .bytes(let bytes, _):
      var waiting = half.removeValue(forKey: member.index) ?? []
      lines += LineSplitter.take(bytes, after: &waiting)
      half[member.index] = waiting
    case .restarted(let restart):
      restarts.append(restart.reason)
      half[member.index] = []
    case .gap(let gap): gaps.append(gap)
    case .polled(let reason, _): polled.append(reason)
    case .state, .earlier: break
    }
  }
}
