/// The pieces that an ``OrderedReduce`` has handed out, has finished and waits for: its pure half, guarded by its lock.
struct OrderedPieces<Piece: Sendable, Output: Sendable>: Sendable {
  /// The next step of a thread.
  enum Step: Sendable {
    case piece(number: Int, Piece)
    /// Wait for room.
    case wait
    /// End; `wake` resumes the caller that waits for the end.
    case leave(isLast: Bool, wake: (@Sendable () -> Void)?)
  }

  /// Those before `next` were handed out: a ten-gigabyte file has ten thousand pieces, too many to remove them one by
  /// one.
  private var pieces: [Piece] = []
  private var next = 0
  /// The number of the first piece in `pieces`.
  private var base = 0
  private var results: [Int: (output: Output, weight: Int)] = [:]
  private var weight = 0
  private var delivered = 0
  /// Number of threads waiting for room.
  private var stalled = 0
  private var waiter: (@Sendable () -> Void)?
  private(set) var failure: (any Error)?
  /// Number of running threads.
  var threads = 0
  /// True if a thread is delivering pushed results.
  var isDelivering = false

  /// Number of pieces not yet handed out.
  var waiting: Int { pieces.count - next }
  var isStopped: Bool { failure != nil }
  /// True if the next result in piece order is available.
  var hasNext: Bool { results[delivered] != nil }

  mutating func add(_ new: some Sequence<Piece>) {
    guard !isStopped else { return }
    pieces += new
  }

  /// The next step of an idle thread.
  mutating func next(_ options: OrderedReduce<Piece, Output>.Options) -> Step {
    guard waiting > 0 else {
      forgetPieces()
      threads -= 1
      return .leave(isLast: threads == 0, wake: threads == 0 ? takeWaiter() : nil)
    }
    guard !holdsEnough(options) else {
      stalled += 1
      return .wait
    }
    defer { next += 1 }
    return .piece(number: base + next, pieces[next])
  }

  /// True if so many results wait for an earlier piece that no further piece should start.
  func holdsEnough(_ options: OrderedReduce<Piece, Output>.Options) -> Bool {
    results.count > options.resultsAhead || weight > options.weightAhead
  }

  /// Number of threads to wake, now that there is room.
  mutating func takeStalled() -> Int {
    defer { stalled = 0 }
    return stalled
  }

  /// Stores the result of a piece, unless the pass was stopped.
  mutating func finished(_ number: Int, _ output: Output, weight: Int) {
    guard !isStopped else { return }
    results[number] = (output, weight)
    self.weight += weight
  }

  /// Takes the next result in piece order, if available.
  mutating func takeNext() -> Output? {
    guard let (output, weight) = results.removeValue(forKey: delivered) else { return nil }
    self.weight -= weight
    delivered += 1
    return output
  }

  /// Stops handing out pieces; the first error counts.
  mutating func stop(with error: any Error, dropsResults: Bool) {
    failure = failure ?? error
    next = pieces.count
    forgetPieces()
    if dropsResults { (results, weight) = ([:], 0) }
  }

  private mutating func forgetPieces() {
    base += next
    (pieces, next) = ([], 0)
  }

  /// Registers `wake` to be called when the next result is available or the last thread has ended.
  ///
  /// - Returns: False if that is already the case.
  mutating func keepWaiting(_ wake: @escaping @Sendable () -> Void) -> Bool {
    guard !hasNext, threads > 0 else { return false }
    waiter = wake
    return true
  }

  /// The waiter for the next result, if that is available.
  mutating func takeReadyWaiter() -> (@Sendable () -> Void)? {
    hasNext ? takeWaiter() : nil
  }

  private mutating func takeWaiter() -> (@Sendable () -> Void)? {
    defer { waiter = nil }
    return waiter
  }
}
