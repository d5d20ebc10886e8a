/// Streams of the same values for any number of observers, none of which keeps who sends them alive.
struct SyncBroadcast<Value: Sendable> {
  private var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
  private var count = 0
  private let limit: Int

  /// Each stream keeps so many values for an observer that is slow, the newest ones.
  init(keeping limit: Int) { self.limit = limit }

  var isEmpty: Bool { continuations.isEmpty }

  /// Another stream, which begins with `first`; `remove` is called with its number once no one reads it any more.
  mutating func stream(from first: Value? = nil, remove: @escaping @Sendable (Int) -> Void) -> AsyncStream<
    Value
  > {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(limit))
    count += 1
    let number = count
    continuations[number] = continuation
    if let first { continuation.yield(first) }
    continuation.onTermination = { _ in remove(number) }
    return stream
  }

  /// Forgets a stream.
  mutating func remove(_ number: Int) { continuations[number] = nil }

  /// Sends a value to all.
  func send(_ value: Value) {
    for continuation in continuations.values { continuation.yield(value) }
  }

  /// Ends all streams.
  func finish() {
    for continuation in continuations.values { continuation.finish() }
  }
}
