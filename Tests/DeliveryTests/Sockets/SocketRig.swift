import DeliveryCore
import Foundation
import Platform
import TestSupport
import Testing

/// A client as apps have it: its own files, the system's transport and real sockets.
///
/// Its clock alone stands still.
final class SocketRig: Sendable {
  let clock = TestDeliveryClock()
  let folder: TemporaryFolder
  let transport: WatchedTransport
  let network = SwitchedNetwork()
  let errors = Locked<[DeliveryError]>([])
  private let proxy: AnalyticsProxy

  /// Sets up a client and waits until it is ready.
  ///
  /// - Parameters:
  ///   - host: The ingestion host.
  ///   - folder: Where it keeps its files; one of its own without.
  ///   - timeout: The deadline of an exchange, instead of that of the client.
  init(
    host: String, folder: TemporaryFolder? = nil, timeout: Duration? = nil,
    _ change: (inout InitOptions) -> Void = { _ in },
    encodeBody: (@Sendable (Data, InitOptions) throws -> Data)? = nil
  ) async throws {
    self.folder = try folder ?? TemporaryFolder()
    transport = WatchedTransport(timeout: timeout)
    var environment = DeliveryEnvironment.system
    environment.clock = clock
    environment.generator = SeededGenerator(seed: 17)
    environment.context = TestContext()
    environment.log = { _ in }
    if let encodeBody { environment.encodeBody = encodeBody }
    proxy = AnalyticsProxy(environment)
    // No timer of its own: what is sent is what the test asks for, and what the table of answers does.
    var options = InitOptions(
      writeKey: "secret-key-1234", ingestionHost: host, flushIntervalSeconds: 1_000_000)
    options.keepDelay = .seconds(1_000_000)
    options.dataFolder = self.folder.url
    options.transport = transport
    options.networkMonitor = network
    options.onError = { [errors] error in errors.withLock { $0.append(error) } }
    change(&options)
    await proxy.initializeAndWait(with: options)
  }

  // MARK: Calls

  /// Queues events that bear the numbers as names.
  func track(_ numbers: ClosedRange<Int>) {
    for number in numbers { proxy.track("\(number)") }
  }

  func track(_ name: String, properties: [String: PropertyValue]) {
    proxy.track(name, properties: properties)
  }

  /// Returns at the end of the flush, or at once where none may be.
  func flush() async { await proxy.wait { .flush($0) } }

  func reset() async { await proxy.resetAndWait() }

  func enterBackground() async { await proxy.wait { .enterBackground($0) } }

  func initialize(host: String) async {
    var options = InitOptions(writeKey: "other-key-5678", ingestionHost: host)
    options.dataFolder = folder.url
    options.transport = transport
    await proxy.initializeAndWait(with: options)
  }

  /// Everything called before is handled when this returns.
  func info() async -> [String: PropertyValue] { await proxy.getDebugInfo() }

  func goOffline() async {
    network.change(isOnline: false)
    _ = await info()
  }

  /// Waits until the network counts as there; a flush is under way then.
  func goOnline() async throws {
    network.change(isOnline: true)
    try await expectWake(in: .seconds(2))
    clock.advance(by: .seconds(2))
    let deadline = ContinuousClock.now + .seconds(30)
    while await info()["networkStatus"] != .text("online"), ContinuousClock.now < deadline {}
    await flush()
  }

  // MARK: Time

  /// The client sleeps until then, neither less nor more.
  func expectWake(in wait: Duration, _ comment: Comment? = nil) async throws {
    let moment = clock.now + wait
    let isAsExpected = await until { self.clock.nextWake == moment }
    try #require(isAsExpected, "\(clock.nextWake.map { $0 - clock.now } ?? .zero) instead of \(wait)")
  }

  /// Time passes until the retry that is due in so long; returns at the end of its flush.
  func retry(in wait: Duration) async throws {
    try await expectWake(in: wait)
    // Events tracked just now are in line before the time passes.
    _ = await info()
    let posts = transport.posts.count
    clock.advance(by: wait)
    try #require(await until { self.transport.posts.count > posts })
    await flush()
  }

  /// Waits for something that other threads bring about.
  func until(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while !condition() {
      guard ContinuousClock.now < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return true
  }

  // MARK: What the client says of itself

  func expectDelivered(_ comment: Comment? = nil) async {
    let info = await info()
    #expect(info["queueLength"] == 0, comment)
    #expect(info["hasDiskData"] == false, comment)
    #expect(info["circuitState"] == "closed", comment)
    #expect(info["dropped"] == [:], comment)
  }

  /// Nothing is lost, and whoever asks, nothing goes out before the retry.
  func expectKept(_ count: Int, retryIn wait: Duration, _ comment: Comment? = nil) async throws {
    let posts = transport.posts.count
    await flush()
    let info = await info()
    #expect(info["queueLength"] == .integer(Int64(count)), comment)
    #expect(info["dropped"] == [:], comment)
    #expect(info["lifecycle"] == "ready", comment)
    #expect(transport.posts.count == posts, comment)
    try await expectWake(in: wait, comment)
  }
}

/// The transport of this system, which tells what it was given and what became of it.
final class WatchedTransport: DeliveryTransport {
  struct Post {
    let request: DeliveryRequest
    var outcome: PostOutcome?

    /// The names of the events.
    var names: [String] {
      let events = (try? CoreRig.events(in: request.body)) ?? []
      return events.map { $0["event"] as? String ?? "?" }
    }
  }

  private let system = SystemTransport.make()
  private let timeout: Duration?
  private let state = Locked<[Post]>([])
  /// Told of each outcome before the client is.
  private let observer = Locked<(@Sendable (PostOutcome) -> Void)?>(nil)

  init(timeout: Duration?) { self.timeout = timeout }

  /// In the order in which they began.
  var posts: [Post] { state.withLock { $0 } }
  var outcomes: [PostOutcome?] { posts.map(\.outcome) }

  func observe(_ observe: @escaping @Sendable (PostOutcome) -> Void) { observer.withLock { $0 = observe } }

  func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
    let index = state.withLock { posts in
      posts.append(Post(request: request))
      return posts.count - 1
    }
    let shortened = DeliveryRequest(
      url: request.url, headers: request.headers, body: request.body, timeout: timeout ?? request.timeout)
    let result: Result<DeliveryAnswer, TransportFailure>
    do throws(TransportFailure) { result = .success(try await system.post(shortened)) } catch {
      result = .failure(error)
    }
    let outcome = result.outcome
    state.withLock { $0[index].outcome = outcome }
    observer.withLock { $0 }?(outcome)
    return try result.get()
  }
}

extension Result<DeliveryAnswer, TransportFailure> {
  fileprivate var outcome: PostOutcome {
    switch self {
    case .success(let answer): .status(answer.status)
    case .failure(let failure): .failed(failure.code)
    }
  }
}

/// A network that comes and goes when a test says so.
final class SwitchedNetwork: NetworkMonitor {
  private let changed = Locked<(@Sendable (Bool) -> Void)?>(nil)

  func start(_ changed: @escaping @Sendable (Bool) -> Void) { self.changed.withLock { $0 = changed } }
  func stop() { changed.withLock { $0 = nil } }
  func change(isOnline: Bool) { changed.withLock { $0 }?(isOnline) }
}
