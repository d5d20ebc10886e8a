import DeliveryCore
import Foundation
import Platform
import TestSupport

/// A proxy over a real client, whose transport answers as the test says and whose clock stands still.
final class ProxyRig: Sendable {
  let clock = TestDeliveryClock()
  let disk = MemoryDisk()
  let values = InMemoryKeyValues()
  let marks = InMemoryKeyValues()
  let transport = ScriptedTransport()
  let log = Locked<[LogLine]>([])
  let proxy: AnalyticsProxy

  /// - Parameter openValues: Opens the stored identity; without, it is kept in memory.
  init(openValues: (@Sendable (InitOptions) -> any KeyValueStorage)? = nil) {
    let (disk, values, marks, log) = (disk, values, marks, log)
    var environment = DeliveryEnvironment(
      clock: clock, generator: SystemRandomNumberGenerator(), transport: transport, context: TestContext(),
      network: AlwaysOnline(), openStorage: { _ in disk }, openValues: openValues ?? { _ in values },
      log: { line in log.withLock { $0.append(line) } }, isForeground: { true })
    environment.openMarks = { _ in marks }
    proxy = AnalyticsProxy(environment)
  }

  static func options(_ change: (inout InitOptions) -> Void = { _ in }) -> InitOptions {
    var options = InitOptions(writeKey: "secret-key-1234", ingestionHost: "https://in.example.com")
    change(&options)
    return options
  }

  /// All events that were posted so far, after everything that waits was.
  func delivered() async throws -> [[String: Any]] {
    await proxy.wait { .flush($0) }
    return try transport.bodies.flatMap { try CoreRig.events(in: $0) }
  }

  func names() async throws -> [String] { try await delivered().map { $0["event"] as? String ?? "?" } }

  var warnings: [String] { log.withLock { $0.filter { $0.level == .warning }.map(\.text) } }
}

/// A transport that keeps what it is given and answers from a list, then always the same.
final class ScriptedTransport: DeliveryTransport {
  private struct State {
    var bodies: [Data] = []
    var answers: [Result<DeliveryAnswer, TransportFailure>] = []
    var inFlight = 0
    var mostInFlight = 0
  }

  private let state = Locked(State())

  var bodies: [Data] { state.withLock { $0.bodies } }
  /// Posts that were under way at the same time.
  var mostInFlight: Int { state.withLock { $0.mostInFlight } }

  /// The answers to come; behind them everything is taken.
  func answer(_ statuses: Int...) {
    state.withLock { $0.answers += statuses.map { .success(DeliveryAnswer(status: $0)) } }
  }

  func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
    let result = state.withLock { state in
      state.bodies.append(request.body)
      state.inFlight += 1
      state.mostInFlight = max(state.mostInFlight, state.inFlight)
      return state.answers.isEmpty ? .success(DeliveryAnswer(status: 200)) : state.answers.removeFirst()
    }
    await Task.yield()
    state.withLock { $0.inFlight -= 1 }
    return try result.get()
  }
}

/// Waits for something that another task does; a minute at most, for what never happens is a failure and no hang.
func eventually(_ isTrue: () -> Bool) async {
  let latest = ContinuousClock.now + .seconds(60)
  while !isTrue(), ContinuousClock.now < latest { await Task.yield() }
}
