import Dispatch

/// The parallel pass: pieces of work on several threads, their results delivered one at a time in piece order.
///
/// It uses its own threads, because the work reads files: a blocking read must not hold a thread of the cooperative
/// pool. Pieces are handed out in order. A thread that is far ahead of a slow piece waits, so memory stays bounded. The
/// first error stops the pass.
///
/// Most passes are one call of ``run(count:workers:makeWorker:deliver:)``; the object itself is for passes whose pieces
/// arrive over time.
package final class OrderedReduce<Piece: Sendable, Output: Sendable>: Sendable {
  /// Processes one piece; created and used on a single thread, so it can own buffers.
  package typealias Worker = (Piece) throws -> Output

  /// The settings of a pass.
  package struct Options: Sendable {
    /// The number of threads.
    package var workers: Int
    /// Maximum number of results that wait for an earlier one.
    package var resultsAhead: Int
    /// Maximum total ``weight`` of the waiting results.
    package var weightAhead = Int.max
    /// The weight of a result against ``weightAhead``.
    package var weight: @Sendable (Output) -> Int = { _ in 0 }
    /// Lower priority, for passes that no one waits for (Apple platforms).
    package var isBackground = false

    package init(workers: Int) {
      self.workers = max(1, workers)
      resultsAhead = 2 * self.workers
    }
  }

  /// The destination of results.
  enum Delivery: Sendable {
    /// None: the work itself keeps its result.
    case none
    /// The caller that asks for the next one.
    case pulled
    /// This function, on any thread of the pass.
    case pushed(@Sendable (Output) -> Void)
  }

  private let options: Options
  private let delivery: Delivery
  private let makeWorker: @Sendable (_ isStopped: @escaping @Sendable () -> Bool) -> Worker
  private let onIdle: @Sendable () -> Void
  private let state = Locked(OrderedPieces<Piece, Output>())
  /// Signaled once for each thread that waited for room.
  private let room = DispatchSemaphore(value: 0)

  init(
    _ options: Options, delivery: Delivery, onIdle: @escaping @Sendable () -> Void = {},
    makeWorker: @escaping @Sendable (_ isStopped: @escaping @Sendable () -> Bool) -> Worker
  ) {
    self.options = options
    self.delivery = delivery
    self.onIdle = onIdle
    self.makeWorker = makeWorker
  }

  /// A pass that delivers by calling a function.
  ///
  /// - Parameters:
  ///   - onIdle: Called when the last thread ends.
  ///   - makeWorker: Called on each thread; long work should check `isStopped` periodically.
  ///   - deliver: Called for one result at a time, on any thread.
  package convenience init(
    _ options: Options, onIdle: @escaping @Sendable () -> Void,
    makeWorker: @escaping @Sendable (_ isStopped: @escaping @Sendable () -> Bool) -> Worker,
    deliver: @escaping @Sendable (Output) -> Void
  ) {
    self.init(options, delivery: .pushed(deliver), onIdle: onIdle, makeWorker: makeWorker)
  }

  /// Appends pieces.
  package func add(_ pieces: some Sequence<Piece>) {
    let missing = state.withLock { state in
      state.add(pieces)
      let missing = max(0, min(options.workers, state.waiting) - state.threads)
      state.threads += missing
      return missing
    }
    for _ in 0..<missing {
      SystemThread.start("pass", stackSize: 8 << 20, isBackground: options.isBackground) { [self] in work() }
    }
  }

  /// Ends after the pieces in progress; waiting results are not delivered.
  package func cancel() {
    stop(with: CancellationError(), dropsResults: true)
  }

  func stop(with error: any Error, dropsResults: Bool = false) {
    let stalled = state.withLock { state in
      state.stop(with: error, dropsResults: dropsResults)
      return state.takeStalled()
    }
    for _ in 0..<stalled { room.signal() }
  }
}

// MARK: The threads

extension OrderedReduce {
  private func work() {
    let perform = makeWorker { [state] in state.withLock { $0.isStopped } }
    while let (number, piece) = nextPiece() {
      do {
        finish(number, try perform(piece))
      } catch {
        stop(with: error)
      }
    }
  }

  private func nextPiece() -> (number: Int, piece: Piece)? {
    while true {
      switch state.withLock({ $0.next(options) }) {
      case .piece(let number, let piece): return (number, piece)
      case .wait: room.wait()
      case .leave(let isLast, let wake):
        if isLast { onIdle() }
        wake?()
        return nil
      }
    }
  }

  private func finish(_ number: Int, _ output: Output) {
    switch delivery {
    case .none: break
    case .pulled:
      let wake = state.withLock { state in
        state.finished(number, output, weight: options.weight(output))
        return state.takeReadyWaiter()
      }
      wake?()
    case .pushed(let deliver):
      state.withLock { $0.finished(number, output, weight: options.weight(output)) }
      while let output = takeToPush() {
        deliver(output)
        state.withLock { $0.isDelivering = false }
      }
    }
  }

  /// The next result, unless another thread is delivering: one thread does it for all.
  private func takeToPush() -> Output? {
    take { state in
      guard !state.isDelivering, let output = state.takeNext() else { return nil }
      state.isDelivering = true
      return output
    }
  }

  /// Takes a result and wakes the threads that waited for its room.
  private func take(_ body: (inout OrderedPieces<Piece, Output>) -> Output?) -> Output? {
    let (output, stalled) = state.withLock { state in
      let output = body(&state)
      return (output, state.holdsEnough(options) ? 0 : state.takeStalled())
    }
    for _ in 0..<stalled { room.signal() }
    return output
  }
}

// MARK: Pulled results

extension OrderedReduce {
  /// The answer to a pull.
  enum Pulled: Sendable {
    case output(Output)
    /// Not available yet: the caller will be woken to ask again.
    case later
    /// The pass is over and all threads have ended.
    case end(failure: (any Error)?)
  }

  /// The next result; if there is none yet, `wake` is called once it is available or the pass is over.
  func pull(orWake wake: @escaping @Sendable () -> Void) -> Pulled {
    while true {
      if let output = take({ $0.takeNext() }) { return .output(output) }
      let (isWaiting, failure, isOver) = state.withLock { state in
        (state.keepWaiting(wake), state.failure, state.threads == 0 && !state.hasNext)
      }
      if isWaiting { return .later }
      if isOver { return .end(failure: failure) }
    }
  }
}
