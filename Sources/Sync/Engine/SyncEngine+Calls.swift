import Platform

extension SyncEngine {
  /// True if what runs was called by the engine through its backend.
  @TaskLocal static var isInsideCall = false

  /// Makes a call to the server that ends in any case: with its answer, at its deadline, or with the run.
  ///
  /// A backend that does not heed cancellation is left alone with its call. What the server may be doing already is not
  /// called off with the run, but has until its deadline to say so.
  ///
  /// - Parameters:
  ///   - name: What is called, for those who watch.
  ///   - late: What is done with an answer that no one waits for any more, and with the end of the call without one.
  ///   - body: The call.
  /// - Throws: What the backend throws; a timeout at the deadline; `CancellationError` when the run is cancelled.
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
      guard answer.settle(.failure(CancellationError())), late == nil else { return }
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

/// The one end of a call: whichever comes first.
private final class CallAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, any Error>)
    case settled(Result<Value, any Error>)
  }

  private let state = Locked(State.open)
  /// The wait for the deadline; `nil` once it is of no use.
  private let deadline = Locked<(task: Task<Void, Never>?, isOver: Bool)>((nil, false))

  /// Keeps the wait for the deadline, unless the call has ended already.
  func limit(_ task: Task<Void, Never>) {
    let isOver = deadline.withLock { deadline in
      if !deadline.isOver { deadline.task = task }
      return deadline.isOver
    }
    if isOver { task.cancel() }
  }

  /// Ends the wait for the deadline.
  func endLimit() {
    let task = deadline.withLock { deadline in
      defer { deadline = (nil, true) }
      return deadline.task
    }
    task?.cancel()
  }

  /// Ends the call.
  ///
  /// - Returns: Whether it was this that ended it.
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

  /// The end, once it is there; asked for once.
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
