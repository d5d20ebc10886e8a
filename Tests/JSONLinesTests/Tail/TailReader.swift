import JSONLines

/// Drives one tail by hand and keeps the lines, gaps and restarts that come out.
final class TailReader {
  let tail: FileTail
  var now = 0.0
  private(set) var lines: [String] = []
  private(set) var gaps: [TailGap] = []
  private(set) var restarts: [TailRestart] = []
  private(set) var states: [TailState] = []
  private(set) var earlier: EarlierBytes?
  /// Bytes whose offset did not follow from what came before.
  private(set) var jumps = 0
  private var half: [UInt8] = []
  private var expected: UInt64 = 0

  init(_ path: String, _ fileSystem: any TailFileSystem, options: TailStateMachine.Options = .init()) {
    tail = FileTail(path: path, fileSystem: fileSystem, options: options)
  }

  /// Lets time pass, wakes the tail and lets it rest.
  func look(after seconds: Double = 0) {
    now += seconds
    tail.wake(at: now)
    tail.run { take($0) }
  }

  /// Looks until nothing is wanted any more, jumping from deadline to deadline.
  func settle() {
    look()
    var rounds = 0
    while let deadline = tail.deadline, rounds < 200 {
      look(after: max(0, deadline - now))
      rounds += 1
    }
  }

  func forget() {
    lines = []
    gaps = []
    restarts = []
  }

  func take(_ output: TailOutput) {
    switch output {
    case .bytes(let bytes, let offset):
      // Only NUL bytes may be left out, and only between lines.
      if offset != expected, offset < expected || !half.isEmpty { jumps += 1 }
      expected = offset + UInt64(bytes.count)
      half += bytes
      while let newline = half.firstIndex(of: 10) {
        lines.append(String(decoding: half[..<newline], as: UTF8.self))
        half.removeSubrange(...newline)
      }
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
