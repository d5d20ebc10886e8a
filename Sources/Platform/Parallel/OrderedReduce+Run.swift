import Dispatch
import Essentials

extension OrderedReduce where Piece == Int {
  /// Processes pieces by number and returns when all are delivered; blocks the caller's thread.
  ///
  /// ```swift
  /// try OrderedReduce.run(count: parts.count, workers: cores) { isStopped in
  ///   let reader = Reader()
  ///   return { number in try reader.sum(of: parts[number]) }
  /// } deliver: { total += $0 }
  /// ```
  ///
  /// - Parameters:
  ///   - count: The number of pieces.
  ///   - workers: The number of threads, at least one.
  ///   - makeWorker: Called on each thread; long work should check `isStopped` periodically.
  ///   - deliver: Receives the results one at a time, from the first piece to the last, on the caller's thread.
  /// - Throws: The first error of a piece or of `deliver`, once no piece is in progress.
  package static func run(
    count: Int, workers: Int,
    makeWorker: @escaping @Sendable (_ isStopped: @escaping @Sendable () -> Bool) -> Worker,
    deliver: (Output) throws -> Void
  ) throws {
    // One core gains nothing from a second thread.
    guard min(count, workers) > 1 else {
      let perform = makeWorker { false }
      for number in 0..<max(0, count) { try deliver(perform(number)) }
      return
    }
    let pass = OrderedReduce(Options(workers: workers), delivery: .pulled, makeWorker: makeWorker)
    pass.add(0..<count)
    while let output = try pass.next() {
      do { try deliver(output) } catch { pass.stop(with: error, dropsResults: true) }
    }
  }

  /// Processes pieces by number and returns when all are delivered; suspends the caller's task without blocking its
  /// thread.
  ///
  /// - Parameters: As for the blocking variant; `deliver` runs in the caller's task.
  /// - Throws: The first error of a piece or of `deliver`, or `CancellationError` if the task is cancelled.
  package static func runInTask(
    count: Int, workers: Int,
    makeWorker: @escaping @Sendable (_ isStopped: @escaping @Sendable () -> Bool) -> Worker,
    deliver: (Output) async throws -> Void
  ) async throws {
    let pass = OrderedReduce(Options(workers: workers), delivery: .pulled, makeWorker: makeWorker)
    pass.add(0..<max(0, count))
    try await withTaskCancellationHandler {
      while let output = try await pass.nextInTask() {
        do { try await deliver(output) } catch { pass.stop(with: error, dropsResults: true) }
      }
    } onCancel: {
      pass.cancel()
    }
  }

  private func next() throws -> Output? {
    let woken = DispatchSemaphore(value: 0)
    while true {
      switch pull(orWake: { woken.signal() }) {
      case .output(let output): return output
      case .later: woken.wait()
      case .end(let failure): if let failure { throw failure } else { return nil }
      }
    }
  }

  private func nextInTask() async throws -> Output? {
    while true {
      let pulled = await withCheckedContinuation { (continuation: CheckedContinuation<Pulled, Never>) in
        let pulled = pull(orWake: { continuation.resume(returning: .later) })
        if case .later = pulled {} else { continuation.resume(returning: pulled) }
      }
      switch pulled {
      case .output(let output): return output
      case .later: break
      case .end(let failure): if let failure { throw failure } else { return nil }
      }
    }
  }
}

extension OrderedReduce where Piece == Int, Output == Void {
  /// Processes pieces in any order, with the work itself keeping the results; blocks the caller's thread.
  ///
  /// - Throws: The first error of a piece, once none is in progress.
  package static func run(
    count: Int, workers: Int,
    makeWorker: @escaping @Sendable (_ isStopped: @escaping @Sendable () -> Bool) -> Worker
  ) throws {
    guard min(count, workers) > 1 else {
      let perform = makeWorker { false }
      for number in 0..<max(0, count) { try perform(number) }
      return
    }
    let pass = OrderedReduce(Options(workers: workers), delivery: .none, makeWorker: makeWorker)
    pass.add(0..<count)
    _ = try pass.next()
  }
}
