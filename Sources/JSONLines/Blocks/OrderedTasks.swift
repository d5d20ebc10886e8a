/// Does many pieces of work on several cores and delivers what comes of them in their order.
package enum OrderedTasks {
  /// Does all pieces, `workers` of them at a time.
  ///
  /// - Parameters:
  ///   - count: How many pieces there are.
  ///   - workers: How many are done at a time, at least one.
  ///   - work: Does the piece of a number, on a thread of its own.
  ///   - deliver: Takes what came of the pieces, one after the other from the first to the last.
  /// - Throws: The first error of a piece or of `deliver`; the pieces under way are cancelled then.
  package static func run<Result: Sendable>(
    count: Int, workers: Int, work: @escaping @Sendable (Int) async throws -> Result,
    deliver: (Result) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var (next, delivered) = (0, 0)
      var waiting: [Int: Result] = [:]
      func start() {
        guard next < count else { return }
        let index = next
        next += 1
        group.addTask { (index, try await work(index)) }
      }
      for _ in 0..<max(1, workers) { start() }
      while let (index, result) = try await group.next() {
        start()
        waiting[index] = result
        while let ready = waiting.removeValue(forKey: delivered) {
          try await deliver(ready)
          delivered += 1
        }
      }
    }
  }
}
