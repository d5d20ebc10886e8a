/// Streams of the same values for any number of observers; no stream keeps the sender alive.
struct SyncBroadcast<Value: Sendable> {
  private var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
  private var count = 0
  private let limit: Int

  /// Creates a broadcast whose streams buffer the newest `limit` values for a slow observer.
  init(keeping limit: Int) { self.limit = limit }

  var isEmpty: Bool { continuations.isEmpty }

  /// Adds a stream that begins with `first`; `remove` is called with its number once it has no reader.
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

  mutating func remove(_ number: Int) { continuations[number] = nil }

  /// Sends a value to all streams.
  func send(_ value: Value) {
    for continuation in continuations.values { continuation.yield(value) }
  }

  func finish() {
    for continuation in continuations.values { continuation.finish() }
  }
}
