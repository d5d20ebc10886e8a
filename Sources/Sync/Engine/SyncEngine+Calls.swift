import Platform

extension SyncEngine {
  /// True inside a call that the engine makes to its backend.
  @TaskLocal static var isInsideCall = false

  /// Makes a call to the server that always ends: with its answer, at its deadline, or with the run.
  ///
  /// A backend that ignores cancellation is abandoned along with its call. A call with a `late` handler is not
  /// cancelled with the run: the server may already be working on it, so it has until its deadline to answer.
  ///
  /// - Parameters:
  ///   - name: The name of the call, for observers.
  ///   - late: Handles an answer that arrives after the run, or `nil` if the call ends without one.
  ///   - body: The call.
  /// - Throws: The error of the backend; a timeout at the deadline; when the run is cancelled, `CancellationError`, or
  ///   ``AbandonedCall`` if the `late` handler is still to come.
  func call<Value: Sendable>(
    _ name: String, late: (@Sendable (isolated SyncEngine, Value?) -> Void)? = nil,
    _ body: @escaping @Sendable (any SyncBackend) async throws -> Value
  ) async throws -> Value {
    let answer = CallAnswer<Value>()
    let (backend, clock) = (environment.backend, environment.clock)
    let deadline = clock.now + machine.configuration.callDeadline
    let work = environment.tasks.start { [weak self] in
      let result = await Self.$isInsideCall.withValue(true) {
        do { return Result<Value, any Error>.success(try await body(backend)) } catch {
          return .failure(error)
        }
      }
      answer.endLimit()
      guard !answer.settle(result), let late else { return }
      await self?.accept(try? result.get(), by: late)
    }
    answer.limit(
      environment.tasks.start { [weak self] in
        guard (try? await clock.sleep(until: deadline, for: "deadline of \(name)")) != nil else { return }
        work.cancel()
        guard !answer.settle(.failure(SyncError(.timeout))), let late else { return }
        await self?.accept(nil, by: late)
      })
    return try await withTaskCancellationHandler {
      try await answer.value
    } onCancel: {
      let error: any Error = late == nil ? CancellationError() : AbandonedCall()
      guard answer.settle(.failure(error)), late == nil else { return }
      work.cancel()
      answer.endLimit()
    }
  }

  private func accept<Value: Sendable>(
    _ value: Value?, by late: @Sendable (isolated SyncEngine, Value?) -> Void
  ) {
    late(self, value)
    writeRecord()
  }
}

/// The run of a call was cancelled; the call goes on.
struct AbandonedCall: Error {}

/// The result of a call: its answer, its deadline or its cancellation, whichever comes first.
private final class CallAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, any Error>)
    case settled(Result<Value, any Error>)
  }

  private let state = Locked(State.open)
  /// The timer for the deadline; `isOver` once the call has ended.
  private let deadline = Locked<(task: Task<Void, Never>?, isOver: Bool)>((nil, false))

  /// Sets the timer for the deadline, unless the call has already ended.
  func limit(_ task: Task<Void, Never>) {
    let isOver = deadline.withLock { deadline in
      if !deadline.isOver { deadline.task = task }
      return deadline.isOver
    }
    if isOver { task.cancel() }
  }

  /// Cancels the timer for the deadline.
  func endLimit() {
    let task = deadline.withLock { deadline in
      defer { deadline = (nil, true) }
      return deadline.task
    }
    task?.cancel()
  }

  /// Ends the call.
  ///
  /// - Returns: Whether this result was the first.
  func settle(_ result: Result<Value, any Error>) -> Bool {
    let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
      switch state {
      case .settled: return (false, nil)
      case .open:
        state = .settled(result)
        return (true, nil)
      case .awaited(let continuation):
        state = .settled(result)
        return (true, continuation)
      }
    }
    waiting?.resume(with: result)
    return isFirst
  }

  /// The result, once available; read once.
  var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          if case .settled(let result) = state { return result }
          state = .awaited(continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    }
  }
}
