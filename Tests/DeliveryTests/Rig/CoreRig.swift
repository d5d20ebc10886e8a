import DeliveryCore
import Foundation
import MisterMetricsCore
import Platform
import TestSupport

/// A client without tasks: a clock that stands still, a disk in memory, and answers as the test gives them.
final class CoreRig {
  let clock: TestDeliveryClock
  let disk: MemoryDisk
  let values: InMemoryKeyValues
  let marks: InMemoryKeyValues
  let log = Locked<[LogLine]>([])
  let context = TestContext()
  var options: InitOptions
  var core: ClientCore
  /// Requests that went out, in their order.
  private(set) var requests: [(sequence: Int, request: DeliveryRequest)] = []
  private(set) var reports: [DeliveryError] = []
  private(set) var cancelled: [Int] = []
  /// True if the app is in the foreground at the start.
  var isForeground = true

  init(
    disk: MemoryDisk = MemoryDisk(), values: InMemoryKeyValues = InMemoryKeyValues(),
    marks: InMemoryKeyValues = InMemoryKeyValues(),
    clock: TestDeliveryClock = TestDeliveryClock(), seed: UInt64 = 7, begins: Bool = true,
    isForeground: Bool = true,
    encodeBody: (@Sendable (Data, InitOptions) throws -> Data)? = nil,
    _ change: (inout InitOptions) -> Void = { _ in },
    options: InitOptions = InitOptions(writeKey: "secret-key-1234", ingestionHost: "https://in.example.com")
  ) {
    self.disk = disk
    self.values = values
    self.marks = marks
    self.clock = clock
    var options = options
    change(&options)
    self.options = options
    let log = log
    var environment = DeliveryEnvironment(
      clock: clock, generator: SeededGenerator(seed: seed), transport: NeverTransport(), context: context,
      network: AlwaysOnline(), openStorage: { _ in disk.open() }, openValues: { _ in values },
      log: { line in log.withLock { $0.append(line) } }, isForeground: { isForeground })
    environment.openMarks = { _ in marks }
    if let encodeBody { environment.encodeBody = encodeBody }
    core = ClientCore(options, environment)
    if begins { begin() }
  }

  func begin() {
    core.begin()
    collect()
  }

  private func collect() {
    for effect in core.takeEffects() {
      switch effect {
      case .send(let request, let sequence): requests.append((sequence, request))
      case .cancel(let sequence): cancelled.append(sequence)
      case .resume(let waiter): waiter.resume()
      case .report(let error): reports.append(error)
      }
    }
  }

  func handle(_ call: Call) {
    core.handle(call)
    collect()
  }

  func send(_ draft: EventDraft) { handle(.event(draft, leftOut: 0, at: clock.wallTime)) }

  func track(_ names: String...) { for name in names { send(.track(name)) } }

  /// Answers the request that waits for one.
  func answer(_ status: Int, retryAfter: String? = nil, detail: String? = nil) {
    guard let last = requests.last else { return }
    core.conclude(
      last.sequence, .success(DeliveryAnswer(status: status, retryAfter: retryAfter, detail: detail)))
    collect()
  }

  func fail(_ code: TransportFailure.Code = .unreachable, _ message: String = "no route") {
    guard let last = requests.last else { return }
    core.conclude(last.sequence, .failure(TransportFailure(code, message)))
    collect()
  }

  func advance(by length: Duration) {
    let end = clock.now + length
    while let deadline = core.nextDeadline, deadline <= end {
      clock.advance(by: max(.zero, deadline - clock.now))
      core.tick()
      collect()
    }
    clock.advance(by: end - clock.now)
  }

  func flush() { handle(.flush(nil)) }

  /// The events of a request, as JSON.
  func events(of index: Int) throws -> [[String: Any]] { try Self.events(in: requests[index].request.body) }

  /// The events of all requests so far.
  func allEvents() throws -> [[String: Any]] { try requests.flatMap { try Self.events(in: $0.request.body) } }

  static func events(in body: Data) throws -> [[String: Any]] {
    let object = try JSONSerialization.jsonObject(with: body) as? [String: Any]
    return object?["batch"] as? [[String: Any]] ?? []
  }

  /// Everything that waits is taken by the endpoint.
  func deliverAll() {
    flush()
    var answered = 0
    while requests.count > answered, core.machine.inFlight != nil {
      answered = requests.count
      answer(200)
    }
  }

  /// The lines of the log, with their level.
  var lines: [LogLine] { log.withLock { $0 } }
}

/// A place that never changes.
struct TestContext: ContextSource {
  var generation: Int { 0 }

  func context() -> EventContext {
    var context = EventContext()
    context.app.name = "Notes"
    context.app.version = "2.1"
    context.app.build = "77"
    context.device.model = "Box1,1"
    return context
  }
}

/// A transport that the core's tests never ask.
struct NeverTransport: DeliveryTransport {
  func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
    throw TransportFailure(.unavailable, "not asked")
  }
}
