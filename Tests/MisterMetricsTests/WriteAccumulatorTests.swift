import MisterMetricsCore
import Platform
import Testing

@Suite("Gathering")
struct WriteAccumulatorTests {
  /// Runs the machine as its driver does, on a clock of its own, and notes when each line was written.
  struct Simulation {
    var machine = WriteAccumulator(delay: .milliseconds(250))
    var now = MonotonicInstant.milliseconds(0)
    var wakes: [MonotonicInstant] = []
    var waiting: [MonotonicInstant] = []
    var ages: [Double] = []
    var writes: [MonotonicInstant] = []

    mutating func advance(to time: MonotonicInstant) {
      while let wake = wakes.min(), wake <= time {
        wakes.remove(at: wakes.firstIndex(of: wake) ?? 0)
        now = wake
        perform(machine.deadlinePassed(at: now))
      }
      now = time
    }

    mutating func record() {
      waiting.append(now)
      perform(machine.lineGathered(at: now))
    }

    mutating func perform(_ action: WriteAccumulator.Action) {
      switch action {
      case .none, .refuse: break
      case .wake(let time): wakes.append(time)
      case .write:
        ages += waiting.map { now - $0 }
        waiting = []
        writes.append(now)
        perform(machine.writeFinished(at: now))
      }
    }
  }

  @Test("writes a record per millisecond at most 250 ms late, for a minute")
  func steadyStream() {
    var simulation = Simulation()
    for millisecond in 0..<60_000 {
      simulation.advance(to: .milliseconds(millisecond))
      simulation.record()
    }
    simulation.advance(to: .milliseconds(60_300))
    #expect(simulation.ages.count == 60_000)
    #expect(simulation.ages.max() == 0.25)
    #expect(simulation.writes.count == 240)
  }

  @Test("fixes the deadline at the first line of a batch")
  func deadline() {
    var machine = WriteAccumulator(delay: .milliseconds(250))
    #expect(machine.lineGathered(at: .milliseconds(0)) == .wake(at: .milliseconds(250)))
    #expect(machine.lineGathered(at: .milliseconds(249)) == .none)
    #expect(machine.deadlinePassed(at: .milliseconds(250)) == .write)
    #expect(machine.writeFinished(at: .milliseconds(251)) == .none)
    #expect(machine.lineGathered(at: .milliseconds(300)) == .wake(at: .milliseconds(550)))
  }

  @Test("writes at once for somebody who waits, and gathers what comes meanwhile into one more write")
  func awaited() {
    var machine = WriteAccumulator(delay: .milliseconds(250))
    #expect(machine.lineAwaited() == .write)
    #expect(machine.lineAwaited() == .none)
    #expect(machine.lineAwaited() == .none)
    #expect(machine.lineGathered(at: .milliseconds(0)) == .none)
    #expect(machine.writeFinished(at: .milliseconds(1)) == .write)
    #expect(machine.writeFinished(at: .milliseconds(2)) == .none)
  }

  @Test("keeps the deadline of a line that arrived during a write")
  func deadlineDuringWrite() {
    var machine = WriteAccumulator(delay: .milliseconds(250))
    #expect(machine.lineAwaited() == .write)
    #expect(machine.lineGathered(at: .milliseconds(10)) == .none)
    #expect(machine.writeFinished(at: .milliseconds(40)) == .wake(at: .milliseconds(260)))
    #expect(machine.deadlinePassed(at: .milliseconds(260)) == .write)
    #expect(machine.lineGathered(at: .milliseconds(300)) == .none)
    #expect(machine.writeFinished(at: .milliseconds(600)) == .write)
  }

  @Test("has one wake under way at most, however many batches are written early")
  func wakes() {
    var machine = WriteAccumulator(delay: .milliseconds(250))
    #expect(machine.lineGathered(at: .milliseconds(0)) == .wake(at: .milliseconds(250)))
    for millisecond in 1..<200 {
      #expect(machine.lineAwaited() == .write)
      #expect(machine.writeFinished(at: .milliseconds(millisecond)) == .none)
      #expect(machine.lineGathered(at: .milliseconds(millisecond)) == .none)
    }
    #expect(machine.deadlinePassed(at: .milliseconds(250)) == .wake(at: .milliseconds(449)))
    #expect(machine.deadlinePassed(at: .milliseconds(449)) == .write)
  }

  @Test("does not wait when so much is gathered that it is worth a write")
  func full() {
    var machine = WriteAccumulator(delay: .milliseconds(250))
    #expect(machine.lineGathered(at: .milliseconds(0)) == .wake(at: .milliseconds(250)))
    #expect(machine.lineGathered(at: .milliseconds(1), isFull: true) == .write)
    #expect(machine.writeFinished(at: .milliseconds(2)) == .none)
    #expect(machine.deadlinePassed(at: .milliseconds(250)) == .none)
  }

  @Test("refuses lines once closed, but still writes what waits")
  func closed() {
    var machine = WriteAccumulator(delay: .milliseconds(250))
    #expect(machine.lineGathered(at: .milliseconds(0)) == .wake(at: .milliseconds(250)))
    machine.closed()
    #expect(machine.lineGathered(at: .milliseconds(0)) == .refuse)
    #expect(machine.lineAwaited() == .refuse)
    #expect(machine.lineAwaited(isFlush: true) == .write)
  }
}

extension MonotonicInstant {
  fileprivate static func milliseconds(_ count: Int) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(count) * 1_000_000)
  }
}
