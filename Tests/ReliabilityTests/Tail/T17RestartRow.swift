import Foundation
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T17: killed and started again, no line is left out, and few are printed twice`() async throws {
    try await Self.row("T17") { run in
      var restarts = try Restarts(seed: run.seed)
      while run.goesOn() { try restarts.killOnce() }
      try restarts.finish()
      run.tally = restarts.tally
      run.note =
        "\(restarts.repeated) lines printed again, at most \(restarts.most) after one kill; \(restarts.rotations) rotations"
    }
  }
}

/// A file that is written and rotated, and a tail beside it that is killed again and again.
private struct Restarts {
  /// Between two savings, in seconds, with what a busy machine may add.
  private static let interval = 1.0 + 0.5

  private let folder: TemporaryFolder
  private let path: String
  private var random: SeededGenerator
  private var next = 0
  private var outputs = 0
  private var printed: [Int: Int] = [:]
  /// Numbers that the run before may have printed without saving it.
  private var unsaved: Set<Int> = []
  private(set) var tally = MatrixRun.Tally()
  private(set) var repeated = 0
  private(set) var most = 0
  private(set) var rotations = 0

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    path = folder.path("app.jsonl")
    random = SeededGenerator(seed: seed)
    TailProcess.append("", to: path)
  }

  private mutating func start() throws -> TailProcess {
    outputs += 1
    return try TailProcess(
      ["--cursor-file", folder.path("cursor"), path], output: folder.path("out.\(outputs)"))
  }

  private mutating func write(_ count: Int) {
    TailProcess.append(next..<next + count, to: path)
    next += count
  }

  private mutating func rotate() {
    rotations += 1
    for number in (1..<9).reversed() { rename("\(path).\(number)", "\(path).\(number + 1)") }
    if random.next() % 2 == 0 {
      rename(path, path + ".1")
      TailProcess.append("", to: path)
    } else {
      RealActionFiles().duplicate(path, path + ".1")
      truncate(path, 0)
    }
  }

  mutating func killOnce() throws {
    let tail = try start()
    var sizes: [(time: ContinuousClock.Instant, size: Int)] = [(.now, 0)]
    let end = ContinuousClock.now + .milliseconds(Int(random.next() % 1600))
    while ContinuousClock.now < end {
      write(1 + Int(random.next() % 3))
      if random.next() % 400 == 0 { rotate() }
      usleep(4_000)
      sizes.append((.now, tail.size))
    }
    tail.process.kill()
    let before = sizes.last { $0.time < .now - .seconds(Self.interval) }?.size ?? 0
    take(tail, savedSize: before)
    write(Int(random.next() % 30))
    if random.next() % 4 == 0 { rotate() }
    write(Int(random.next() % 30))
  }

  /// Enters what a run has printed.
  private mutating func take(_ tail: TailProcess, savedSize: Int) {
    let saved = tail.text.utf8.prefix(savedSize).split(separator: 10).count
    let numbers = tail.numbers
    let again = numbers.filter { printed[$0] != nil }
    repeated += again.count
    most = max(most, again.count)
    // Only what was not saved may come twice.
    tally.duplicated += again.filter { !unsaved.contains($0) }.count
    for number in numbers { printed[number, default: 0] += 1 }
    // A run that was killed early may have saved nothing: what was open before it is open still.
    let last = numbers.prefix(saved).max() ?? -1
    unsaved = unsaved.union(numbers).filter { $0 > last }
    if tail.text.contains("position") || tail.text.contains("byte") { tally.bad += 1 }
  }

  mutating func finish() throws {
    let tail = try start()
    write(10)
    let all = next
    let isComplete = tail.waits { $0.numbers.contains(all - 1) }
    tail.process.send(SIGTERM)
    if tail.process.wait() != .killed(SIGTERM) { tally.bad += 1 }
    take(tail, savedSize: 0)
    // All was saved at the end: a run after it has nothing to print but what is new.
    let last = try start()
    write(1)
    _ = last.waits { !$0.numbers.isEmpty }
    last.process.kill()
    if last.numbers != [all] { tally.bad += 1 }
    tally.expected = all
    tally.got = printed.count
    tally.lost = (0..<all).filter { printed[$0] == nil }.count
    if !isComplete { tally.bad += 1 }
  }
}
