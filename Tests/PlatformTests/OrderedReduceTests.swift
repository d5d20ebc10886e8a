import Foundation
import Platform
import TestSupport
import Testing

@Suite("work on several cores in order")
struct OrderedReduceTests {
  private struct Failure: Error {}

  private func pause(_ number: Int) {
    usleep(UInt32(number * 7919 % 5) * 50)
  }

  @Test("results are delivered in the order of the pieces, however long each takes", arguments: [0, 1, 2, 7])
  func order(workers: Int) async throws {
    var delivered: [Int] = []
    try await OrderedReduce.runInTask(count: 200, workers: workers) { _ in
      { index in
        pause(index)
        return index * index
      }
    } deliver: {
      delivered.append($0)
    }
    #expect(delivered == (0..<200).map { $0 * $0 })
  }

  @Test("a thread that waits gets them in order too", arguments: [0, 1, 2, 7])
  func blocking(workers: Int) throws {
    var delivered: [Int] = []
    let work = { @Sendable (index: Int) in
      pause(index)
      return index
    }
    try OrderedReduce.run(count: 200, workers: workers, makeWorker: { _ in work }) { (index: Int) throws in
      delivered.append(index)
    }
    #expect(delivered == Array(0..<200))
  }

  @Test("no more pieces are under way than there are workers, and each has a worker of its own")
  func limit() throws {
    let (started, ended, made) = (Recorder<Int>(), Recorder<Int>(), Recorder<Int>())
    try OrderedReduce<Int, Void>.run(count: 100, workers: 3) { _ in
      made.append(0)
      return { index in
        started.append(index)
        #expect(started.all.count - ended.all.count <= 3)
        usleep(100)
        ended.append(index)
      }
    }
    #expect(ended.all.count == 100)
    #expect(made.all.count <= 3)
  }

  @Test("nothing runs far ahead of a slow piece")
  func bound() throws {
    let (started, isReleased) = (Recorder<Int>(), Locked(false))
    try OrderedReduce.run(count: 500, workers: 2) { _ in
      { index in
        started.append(index)
        guard index == 0 else { return index }
        // The other thread stops at the limit, whatever time it has.
        for _ in 0..<200 where started.all.count < 500 { usleep(500) }
        #expect(started.all.count < 20)
        isReleased.withLock { $0 = true }
        return index
      }
    } deliver: { (index: Int) throws in
      #expect(isReleased.withLock { $0 })
    }
    #expect(started.all.count == 500)
  }

  @Test("an error of a piece or of who takes the results ends the work", arguments: [1, 2, 4])
  func errors(workers: Int) async throws {
    var delivered = 0
    await #expect(throws: Failure.self) {
      try await OrderedReduce.runInTask(count: 50, workers: workers) { _ in
        { index in
          if index == 20 { throw Failure() }
          return index
        }
      } deliver: { (_: Int) in
        delivered += 1
      }
    }
    #expect(delivered <= 20)
    await #expect(throws: Failure.self) {
      try await OrderedReduce.runInTask(count: 50, workers: workers, makeWorker: { _ in { $0 } }) {
        (index: Int) in
        if index == 5 { throw Failure() }
      }
    }
    #expect(throws: Failure.self) {
      try OrderedReduce<Int, Void>.run(count: 50, workers: workers) { _ in { if $0 == 5 { throw Failure() } }
      }
    }
    try await OrderedReduce.runInTask(count: 0, workers: 2, makeWorker: { _ in { $0 } }) { (_: Int) in
      throw Failure()
    }
  }

  @Test("work that is under way learns that the pass has stopped")
  func stopping() throws {
    let stopped = Recorder<Int>()
    #expect(throws: Failure.self) {
      try OrderedReduce<Int, Void>.run(count: 2, workers: 2) { isStopped in
        { index in
          if index == 1 { throw Failure() }
          for _ in 0..<20_000 where !isStopped() { usleep(500) }
          stopped.append(index)
        }
      }
    }
    #expect(stopped.all == [0])
  }

  @Test("a cancelled task ends the pass")
  func cancellation() async throws {
    let begun = AsyncStream<Void>.makeStream()
    let task = Task {
      try await OrderedReduce.runInTask(count: 2, workers: 1) { isStopped in
        { index in
          begun.continuation.yield()
          for _ in 0..<20_000 where !isStopped() { usleep(500) }
          return index
        }
      } deliver: { (_: Int) in
        Issue.record("delivered")
      }
    }
    for await _ in begun.stream { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("pieces that come later are done by the same pass, in order; a heavy one holds up the others")
  func growing() async throws {
    let (delivered, idle) = (Recorder<Int>(), DispatchSemaphore(value: 0))
    var options = OrderedReduce<Int, Int>.Options(workers: 2)
    options.weight = { $0 }
    options.weightAhead = 10
    let pass = OrderedReduce<Int, Int>(options, onIdle: { idle.signal() }) { _ in
      { index in
        pause(index)
        return index
      }
    } deliver: {
      delivered.append($0)
    }
    for start in stride(from: 0, to: 300, by: 50) {
      pass.add(start..<start + 50)
      usleep(2000)
    }
    for _ in 0..<2000 where delivered.all.count < 300 { usleep(1000) }
    #expect(delivered.all == Array(0..<300))
    #expect(idle.wait(timeout: .now() + 10) == .success)
    pass.cancel()
    pass.add([1, 2, 3])
    usleep(5000)
    #expect(delivered.all.count == 300)
  }
}
