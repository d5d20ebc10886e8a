import JSONLines
import TestSupport
import Testing

@Suite("Work on several cores in order")
struct OrderedTasksTests {
  private struct Failure: Error {}

  @Test(
    "what comes of the pieces is delivered in their order, however long each takes", arguments: [0, 1, 2, 7])
  func order(workers: Int) async throws {
    var delivered: [Int] = []
    try await OrderedTasks.run(count: 200, workers: workers) { index in
      for _ in 0..<(index * 7919 % 5) { await Task.yield() }
      return index * index
    } deliver: {
      delivered.append($0)
    }
    #expect(delivered == (0..<200).map { $0 * $0 })
  }

  @Test("no more pieces are under way than there are workers")
  func limit() async throws {
    let (started, ended) = (Recorder<Int>(), Recorder<Int>())
    try await OrderedTasks.run(count: 100, workers: 3) { index in
      started.append(index)
      #expect(started.all.count - ended.all.count <= 3)
      await Task.yield()
      ended.append(index)
      return index
    } deliver: { _ in
    }
    #expect(ended.all.count == 100)
  }

  @Test("an error of a piece or of who takes what comes of it ends the work")
  func errors() async throws {
    var delivered = 0
    await #expect(throws: Failure.self) {
      try await OrderedTasks.run(count: 50, workers: 2) { index in
        if index == 20 { throw Failure() }
        return index
      } deliver: { _ in
        delivered += 1
      }
    }
    #expect(delivered <= 20)
    await #expect(throws: Failure.self) {
      try await OrderedTasks.run(count: 50, workers: 2, work: { $0 }) { (index: Int) in
        if index == 5 { throw Failure() }
      }
    }
    try await OrderedTasks.run(count: 0, workers: 2, work: { $0 }) { (_: Int) in throw Failure() }
  }
}
