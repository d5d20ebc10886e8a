package import DeliveryCore
package import Foundation
import Platform
import TestSupport

/// A client without tasks over any storage and any endpoint, driven step by step through calls.
package final class DrivenClient {
  /// A clock that advances only when told to.
  private final class StepClock: DeliveryClock {
    private let time = Locked(Duration.zero)

    var now: Duration { time.withLock { $0 } }
    var wallTime: Date { Date(timeIntervalSince1970: 1_790_000_000 + now / .seconds(1)) }

    func sleep(until deadline: Duration) async throws {}
    func advance(to moment: Duration) { time.withLock { $0 = max($0, moment) } }
  }

  package private(set) var core: ClientCore
  /// The errors reported to the app.
  package private(set) var reports: [DeliveryError] = []
  private let clock = StepClock()
  private let answer: (Data) -> Result<DeliveryAnswer, TransportFailure>
  private var pending: (sequence: Int, body: Data)?

  /// Creates a client and starts it.
  ///
  /// - Parameters:
  ///   - maxDiskEvents: Maximum events on disk.
  ///   - storage: Opens the storage.
  ///   - answer: The endpoint's answer to a body.
  ///   - wasAnswered: Called when an answer has reached the client.
  package init(
    seed: UInt64, maxDiskEvents: Int = 100_000,
    storage: @escaping @Sendable () throws(StorageFailure) -> any EventStorage,
    answer: @escaping (Data) -> Result<DeliveryAnswer, TransportFailure>,
    wasAnswered: @escaping @Sendable () -> Void = {}
  ) {
    self.answer = answer
    core = ClientCore(
      .forTests(maxDiskEvents: maxDiskEvents),
      .forTests(
        clock: clock, generator: SeededGenerator(seed: seed), transport: NoTransport(),
        openStorage: { _ throws(StorageFailure) in try storage() }, wasAnswered: wasAnswered))
    core.begin()
    collect()
  }

  private func collect() {
    for effect in core.takeEffects() {
      switch effect {
      case .send(let request, let sequence): pending = (sequence, request.body)
      case .cancel(let sequence): if pending?.sequence == sequence { pending = nil }
      case .resume(let waiter): waiter.resume()
      case .report(let error): reports.append(error)
      }
    }
  }

  package func handle(_ call: Call) {
    core.handle(call)
    collect()
  }

  /// Tracks a numbered event with a padding of `padding` bytes.
  package func track(_ number: Int, padding: Int) {
    handle(.event(.numbered(number, padding: padding), leftOut: 0, at: clock.wallTime))
  }

  /// Dropped events, for whatever cause.
  package var droppedCount: Int { core.dropped.values.reduce(0, +) }

  /// Answers the pending request, or else advances the clock to the next deadline or flushes.
  package func step() {
    if let (sequence, body) = pending {
      pending = nil
      core.conclude(sequence, answer(body))
    } else if let deadline = core.nextDeadline {
      clock.advance(to: deadline)
      core.tick()
    } else {
      core.handle(.flush(nil))
    }
    collect()
  }

  /// Steps until the queue is empty, but at most `steps` times.
  ///
  /// - Returns: True if the queue is empty.
  package func drain(steps: Int = 10_000) -> Bool {
    handle(.networkChanged(isOnline: true))
    handle(.enterForeground)
    handle(.flush(nil))
    for _ in 0..<steps where core.waiting > 0 || pending != nil { step() }
    return core.waiting == 0
  }
}

private struct NoTransport: DeliveryTransport {
  func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
    throw TransportFailure(.unavailable, "not asked")
  }
}

extension EventDraft {
  /// An event named `e` and its number, with a padding of `padding` bytes.
  package static func numbered(_ number: Int, padding: Int) -> EventDraft {
    .track("e\(number)", properties: ["text": .text(String(repeating: "x", count: padding))])
  }
}

extension InitOptions {
  /// Options that make a client use its disk heavily.
  package static func forTests(maxDiskEvents: Int = 100_000) -> InitOptions {
    var options = InitOptions(
      writeKey: "key", ingestionHost: "https://in.example.com", debug: true, maxQueueEvents: 60,
      maxDiskEvents: maxDiskEvents)
    options.diskFlushEvents = 30
    return options
  }
}

extension DeliveryEnvironment {
  /// A test environment in which nothing but the disk is real.
  ///
  /// - Parameters:
  ///   - wasAnswered: Called when an answer has reached the client, before it has any effect.
  ///   - wasTold: Called with each error of the log.
  package static func forTests(
    clock: any DeliveryClock, generator: any RandomNumberGenerator & Sendable,
    transport: any DeliveryTransport,
    openStorage: @escaping @Sendable (InitOptions) throws(StorageFailure) -> any EventStorage,
    wasAnswered: @escaping @Sendable () -> Void, wasTold: @escaping @Sendable (String) -> Void = { _ in }
  ) -> DeliveryEnvironment {
    DeliveryEnvironment(
      clock: clock, generator: generator, transport: transport, context: SystemContext(),
      network: AlwaysOnline(),
      openStorage: openStorage, openValues: { _ in InMemoryKeyValues() },
      log: { line in
        // The client logs no such line for a request that it abandoned.
        if line.text.hasPrefix("Batch "), !line.text.contains("no answer") { wasAnswered() }
        if line.level == .error { wasTold(line.text) }
      },
      isForeground: { true })
  }
}
