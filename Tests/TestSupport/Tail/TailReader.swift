package import JSONLines
package import Platform

/// Drives one tail step by step and keeps the resulting lines, gaps and restarts.
package final class TailReader {
  package let tail: FileTail
  package var now = MonotonicInstant(0)
  package private(set) var lines: [String] = []
  package private(set) var gaps: [TailGap] = []
  package private(set) var restarts: [TailRestart] = []
  package private(set) var states: [TailState] = []
  package private(set) var earlier: EarlierBytes?
  /// Pieces whose offset did not follow from the previous one.
  package private(set) var jumps = 0
  private var half: [UInt8] = []
  private var expected: UInt64 = 0

  package init(_ path: String, _ fileSystem: any TailFileSystem, options: TailStateMachine.Options = .init())
  {
    tail = FileTail(path: path, fileSystem: fileSystem, options: options)
  }

  /// Advances the time, wakes the tail and runs it until it is idle.
  package func look(after seconds: Double = 0) {
    now += seconds
    tail.wake(at: now)
    tail.run { take($0) }
  }

  /// Looks until there is no more work, jumping from deadline to deadline.
  package func settle() {
    look()
    var rounds = 0
    while let deadline = tail.deadline, rounds < 200 {
      look(after: max(0, deadline - now))
      rounds += 1
    }
  }

  package func forget() {
    lines = []
    gaps = []
    restarts = []
  }

  package func take(_ output: TailOutput) {
    switch output {
    case .bytes(let bytes, let offset):
      // Only NUL bytes may be skipped, and only between lines.
      if offset != expected, offset < expected || !half.isEmpty { jumps += 1 }
      expected = offset + UInt64(bytes.count)
      lines += LineSplitter.take(bytes, after: &half)
    case .restarted(let restart):
      restarts.append(restart)
      half = []
      expected = restart.offset
    case .gap(let gap): gaps.append(gap)
    case .state(let state): states.append(state)
    case .earlier(let bytes): earlier = bytes
    // Only sets of tails poll.
    case .polled: break
    }
  }
}
