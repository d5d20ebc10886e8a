import Aggregation
import Codecs
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import DashboardCore

@Suite("Program")
struct ProgramTests {
  /// A feed that says what a test tells it to.
  final class TestFeed: Feed, @unchecked Sendable {
    // Safe: the loop under test runs on the test's own thread.
    let wakeDescriptor: Int32 = 77
    var current = FeedSnapshot()
    private(set) var taken = 0

    func snapshot() -> FeedSnapshot {
      taken += 1
      return current
    }

    func record(_ value: Double, at time: Double) {
      let id = current.store.series(for: SeriesIdentity(bucket: "b", name: "m_ms", typeName: "Double"))
      current.store.record(id, time: time, value: .number(value))
    }
  }

  /// Clocks that a test moves, and waits that it answers.
  final class TestWorld {
    /// The wall clock.
    var time = 1000.0
    private var steady = MonotonicInstant(1000)
    var waits: [(descriptors: [Int32], seconds: Double?)] = []
    /// The answers of the next waits; afterwards they time out.
    var answers: [Set<Int32>] = []

    var environment: Program.Environment {
      Program.Environment(
        now: { Timestamp(self.time) }, steady: { self.steady },
        wait: { descriptors, seconds in
          self.waits.append((descriptors, seconds))
          if !self.answers.isEmpty { return self.answers.removeFirst() }
          // Waiting for ever would end the test: it only counts.
          self.pass(seconds ?? 0)
          return []
        })
    }

    /// Lets both clocks go on.
    func pass(_ seconds: Double) {
      time += seconds
      steady = steady + seconds
    }
  }

  let feed = TestFeed()
  let clock = TestWorld()
  let backend = KeyboardBackend(size: Size(width: 80, height: 24))

  func program() -> Program {
    adoptUTF8()
    let model = Model(size: backend.size, now: Timestamp(clock.time), zone: .utc)
    return Program(backend: backend, feed: feed, model: model, environment: clock.environment)
  }

  @Test("the first picture comes before any waiting")
  func firstPicture() {
    let program = program()
    program.step()
    #expect(backend.presented == 1)
    #expect(clock.waits.count == 1)
  }

  @Test("an empty feed sleeps for ever")
  func sleepsForEver() {
    let program = program()
    program.step()
    #expect(clock.waits.last?.seconds == nil)
  }

  @Test("a feed whose windows are all empty sleeps for ever, too")
  func oldFile() {
    feed.record(5, at: 10)
    let program = program()
    for _ in 0..<6 where clock.waits.last?.seconds != nil || clock.waits.isEmpty { program.step() }
    #expect(clock.waits.last?.seconds == nil)
  }

  @Test("once live samples have left the window nothing wakes the program")
  func windowsRunEmpty() {
    feed.record(5, at: 999)
    let program = program()
    var steps = 0
    repeat {
      program.step()
      steps += 1
    } while clock.waits.last?.seconds != nil && steps < 1000
    #expect(clock.waits.last?.seconds == nil)
    #expect(steps < 200)
    #expect(clock.time > 1100 && clock.time < 1125)
  }

  @Test("the first sample after a pause is drawn at once")
  func firstAfterPause() {
    let program = program()
    program.step()
    clock.pass(5)
    feed.record(5, at: clock.time)
    clock.answers = [[77]]
    program.step()
    let arrival = clock.time
    #expect(backend.presented == 1)
    program.step()
    #expect(backend.presented == 2 && program.model.session.now == Timestamp(arrival))
    #expect(program.model.session.feed.store.recorded == 1)
  }

  @Test("a stream of samples is drawn thirty times a second at most, and not polled in between")
  func pace() {
    let program = program()
    for step in 0..<300 {
      feed.record(5, at: clock.time)
      clock.answers = step % 2 == 0 ? [[77]] : []
      program.step()
    }
    let seconds = clock.time - 1000
    #expect(Double(backend.presented) <= seconds * 30 + 2)
    #expect(clock.waits.contains { !$0.descriptors.contains(77) })
    #expect(clock.waits.allSatisfy { $0.seconds != 0 })
  }

  @Test("keys reach the model, quitting ends the loop")
  func quits() {
    let program = program()
    program.step()
    backend.events = [.key(KeyPress("+")), .key(KeyPress("q"))]
    clock.pass(1)
    clock.answers = [[5]]
    program.run()
    #expect(program.model.session.window == 60)
  }

  @Test("effects reach the terminal")
  func effects() {
    feed.record(5, at: clock.time)
    let program = program()
    program.step()
    backend.events = [.key(.control("l")), .key(.control("z")), .key(KeyPress("M")), .key(KeyPress("y"))]
    clock.pass(1)
    clock.answers = [[5]]
    for _ in 0..<4 { program.step() }
    #expect(backend.commands.prefix(3) == [.redraw, .suspend, .mouse(false)])
    guard case .copy(let text) = backend.commands.last else { return #expect(Bool(false), "nothing copied") }
    #expect(text.hasPrefix("b.m_ms"))
  }

  @Test("a terminal that is gone ends the loop")
  func hangup() {
    let program = program()
    program.step()
    backend.events = [.hangup]
    clock.pass(1)
    clock.answers = [[5]]
    program.run()
    #expect(backend.presented >= 1)
  }
}

/// A headless terminal with a keyboard to poll.
final class KeyboardBackend: TerminalBackend {
  var size: Size
  let descriptors: [Int32] = [5]
  var events: [InputEvent] = []
  private(set) var presented = 0
  private(set) var commands: [TerminalCommand] = []

  init(size: Size) { self.size = size }

  func present(_ buffer: Buffer, cursor: Position?) { presented += 1 }

  func readEvents(now: Double) -> TerminalInput {
    defer { events = [] }
    return TerminalInput(events: events)
  }

  func perform(_ command: TerminalCommand) { commands.append(command) }
}
