package import JSONLines
package import Platform

/// Drives one tail by hand and keeps the lines, gaps and restarts that come out.
package final class TailReader {
  package let tail: FileTail
  package var now = MonotonicInstant(0)
  package private(set) var lines: [String] = []
  package private(set) var gaps: [TailGap] = []
  package private(set) var restarts: [TailRestart] = []
  package private(set) var states: [TailState] = []
  package private(set) var earlier: EarlierBytes?
  /// Bytes whose offset did not follow from what came before.
  package private(set) var jumps = 0
  private var half: [UInt8] = []
  private var expected: UInt64 = 0

  package init(_ path: String, _ fileSystem: any TailFileSystem, options: TailStateMachine.Options = .init())
  {
    tail = FileTail(path: path, fileSystem: fileSystem, options: options)
  }

  /// Lets time pass, wakes the tail and lets it rest.
  package func look(after seconds: Double = 0) {
    now += seconds
    tail.wake(at: now)
    tail.run { take($0) }
  }

  /// Looks until nothing is wanted any more, jumping from deadline to deadline.
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
      // Only NUL bytes may be left out, and only between lines.
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
    }
  }
}
