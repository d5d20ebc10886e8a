import BenchSupport
import DeliveryCore
import Foundation
import Platform

/// The cost of calls to the thread that makes them.
enum Calls {
  static func measure(_ folder: URL) async throws -> [Figure] {
    let transport = AcceptingTransport()
    var options = InitOptions(writeKey: "bench-key", ingestionHost: "http://127.0.0.1:1")
    options.dataFolder = folder
    options.transport = transport
    let analytics = await Analytics.initializeAndWait(with: options)
    var figures = await bursts(analytics)
    for _ in 0..<3 { figures = best(figures, await bursts(analytics)) }
    figures.append(try await threads(analytics, transport))
    figures.append(await storm(analytics))
    return figures
  }

  /// An order of a shop: six values, two of them one level deeper.
  @inline(never)
  private static func properties(_ index: Int) -> [String: Any] {
    [
      "order": "A-1017", "total": 12.5, "gift": true, "count": index,
      "item": ["name": "tea", "grams": 250] as [String: Any],
    ]
  }

  /// Bursts of 1,000 calls, as an app makes them at worst, while nothing else runs.
  private static func bursts(_ analytics: any AnalyticsInterface) async -> [Figure] {
    let made = properties(1)
    let prepared = await burst { _ in analytics.track("Order Placed", properties: made) }
    let literal = await burst { analytics.track("Order Placed", properties: properties($0)) }
    let typed: [String: PropertyValue] = [
      "order": "A-1017", "total": 12.5, "gift": true, "count": 1, "item": ["name": "tea", "grams": 250],
    ]
    let values = await burst { _ in analytics.track("Order Placed", properties: typed) }
    return [
      .init(
        "track, nested dictionary of six values", prepared, bar: 2, "µs",
        "per call, bursts of 1,000"),
      .init(
        "track, with making the dictionary", literal, "µs",
        "per call, bursts of 1,000"),
      .init("track, typed values", values, "µs", "per call, bursts of 1,000"),
    ]
  }

  /// Microseconds of a call, the median of bursts.
  private static func burst(_ call: (Int) -> Void) async -> Double {
    var bursts: [Double] = []
    for _ in 0..<40 {
      let start = ContinuousClock.now
      for index in 0..<1000 { call(index) }
      bursts.append((ContinuousClock.now - start) / .microseconds(1) / 1000)
      await Analytics.flushAndWait()
    }
    return bursts.median
  }

  private static func best(
    _ left: [Figure], _ right: [Figure]
  ) -> [Figure] {
    zip(left, right).map { $0.figure <= $1.figure ? $0 : $1 }
  }

  /// Ten thousand calls of twenty threads at once: each thread's own arrive in their order.
  private static func threads(
    _ analytics: any AnalyticsInterface, _ transport: AcceptingTransport
  ) async throws -> Figure {
    let (threads, calls) = (20, 500)
    var rounds: [Double] = []
    for round in 0..<10 {
      transport.forget()
      let start = ContinuousClock.now
      let done = DispatchGroup()
      for thread in 0..<threads {
        done.enter()
        Thread {
          for call in 0..<calls {
            analytics.track("\(thread) \(call)", properties: ["round": round] as [String: Any])
          }
          done.leave()
        }.start()
      }
      await withCheckedContinuation { continuation in
        done.notify(queue: .global()) { continuation.resume() }
      }
      rounds.append((ContinuousClock.now - start) / .microseconds(1) / Double(threads * calls))
      await Analytics.flushAndWait()
      try check(transport.names(), threads: threads, calls: calls)
    }
    return .init(
      "10,000 calls of 20 threads, order of each kept", rounds.median,
      bar: 2, "µs", "per call, all threads together, 10 rounds, none lost or out of order")
  }

  /// Many more calls than the client can keep up with: the oldest go, and the caller is not held up by that either.
  private static func storm(_ analytics: any AnalyticsInterface) async -> Figure {
    let made = properties(1)
    let (count, portion) = (300_000, 1000)
    var slowest = Duration.zero
    let start = ContinuousClock.now
    for _ in 0..<count / portion {
      let begin = ContinuousClock.now
      for _ in 0..<portion { analytics.track("Order Placed", properties: made) }
      slowest = max(slowest, ContinuousClock.now - begin)
    }
    let time = ContinuousClock.now - start
    await Analytics.flushAndWait()
    return .init(
      "track in a storm of 300,000 calls", time / .microseconds(1) / Double(count), "µs",
      "per call; the slowest thousand \(Int(slowest / .microseconds(1) / Double(portion) * 10) / 10) µs"
    )
  }

  private static func check(_ names: [String], threads: Int, calls: Int) throws {
    var next = Array(repeating: 0, count: threads)
    for name in names {
      let numbers = name.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2, next.indices.contains(numbers[0]), numbers[1] == next[numbers[0]] else {
        throw DeliveryBench.Failure(description: "event \(name) is out of order")
      }
      next[numbers[0]] += 1
    }
    guard next.allSatisfy({ $0 == calls }) else {
      throw DeliveryBench.Failure(description: "events were lost: \(next)")
    }
  }
}

/// Takes everything at once, and remembers it.
final class AcceptingTransport: DeliveryTransport {
  private let bodies = Locked<[Data]>([])

  func forget() { bodies.withLock { $0 = [] } }

  /// The names of the events, in their order.
  func names() throws -> [String] {
    try bodies.withLock { $0 }.flatMap { body in
      let object = try JSONSerialization.jsonObject(with: body) as? [String: Any]
      return (object?["batch"] as? [[String: Any]] ?? []).map { $0["event"] as? String ?? "?" }
    }
  }

  func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
    bodies.withLock { $0.append(request.body) }
    return DeliveryAnswer(status: 202)
  }
}
