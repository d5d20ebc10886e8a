package import DeliveryCore
package import Foundation
import Platform
import TestSupport

/// A client without tasks over any storage and any endpoint: what happens is what is called, one after the other.
package final class DrivenClient {
  /// A time that goes on when it is told to.
  private final class StepClock: DeliveryClock {
    private let time = Locked(Duration.zero)

    var now: Duration { time.withLock { $0 } }
    var wallTime: Date { Date(timeIntervalSince1970: 1_790_000_000 + now / .seconds(1)) }

    func sleep(until deadline: Duration) async throws {}
    func advance(to moment: Duration) { time.withLock { $0 = max($0, moment) } }
  }

  package private(set) var core: ClientCore
  /// The app's notices.
  package private(set) var reports: [DeliveryError] = []
  private let clock = StepClock()
  private let answer: (Data) -> Result<DeliveryAnswer, TransportFailure>
  private var pending: (sequence: Int, body: Data)?

  /// A client that has begun.
  ///
  /// - Parameters:
  ///   - maxDiskEvents: How many events may be on disk.
  ///   - storage: Opens the storage.
  ///   - answer: What the endpoint says to a body.
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

  /// Tracks an event with a number, and with so many letters beside it.
  package func track(_ number: Int, padding: Int) {
    handle(.event(.numbered(number, padding: padding), leftOut: 0, at: clock.wallTime))
  }

  /// Events that were abandoned, for whatever cause.
  package var droppedCount: Int { core.dropped.values.reduce(0, +) }

  /// Answers what is in flight, or lets time pass until there is something to do.
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

  /// Goes on until nothing waits any more, but not for ever.
  ///
  /// - Returns: Whether nothing waits.
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
  /// An event named `e` and a number, with so many letters beside it.
  package static func numbered(_ number: Int, padding: Int) -> EventDraft {
    .track("e\(number)", properties: ["text": .text(String(repeating: "x", count: padding))])
  }
}

extension InitOptions {
  /// Options of a client that makes much use of its disk.
  package static func forTests(maxDiskEvents: Int = 100_000) -> InitOptions {
    var options = InitOptions(
      writeKey: "key", ingestionHost: "https://in.example.com", debug: true, maxQueueEvents: 60,
      maxDiskEvents: maxDiskEvents)
    options.diskFlushEvents = 30
    return options
  }
}

extension DeliveryEnvironment {
  /// An environment of a process that has a disk alone.
  ///
  /// - Parameters:
  ///   - wasAnswered: Called when an answer has reached the client, before anything comes of that.
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
        // An exchange that the client gave up has no such line.
        if line.text.hasPrefix("Batch "), !line.text.contains("no answer") { wasAnswered() }
        if line.level == .error { wasTold(line.text) }
      },
      isForeground: { true })
  }
}
