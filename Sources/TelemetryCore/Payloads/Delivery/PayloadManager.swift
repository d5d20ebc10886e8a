import Dispatch
import Platform

/// Delivers payloads to subscribers; the counterpart of `MXMetricManager`.
///
/// ```swift
/// recorder.manager.add(subscriber)
/// ```
///
/// - All payloads that wait come in one call, the oldest first, once: a payload leaves the disk when the calls to all
///   subscribers of the moment have returned. A process that is killed in between delivers it again when it is started
///   the next time.
/// - Without a subscriber nothing is delivered and nothing is lost.
/// - Subscribers are held weakly and called one after the other, on a thread that is not the main one. In a call they may
///   use the manager as they like.
/// - A subscriber that is added later gets what the others got in this process first.
public final class PayloadManager: Sendable {
  private struct Subscription {
    weak let subscriber: (any PayloadSubscriber)?
    /// True if it has got the past payloads.
    var isIntroduced = false
  }

  private struct State {
    var subscriptions: [Subscription] = []
    var past: [MetricPayload] = []
    var pastDiagnostics: [DiagnosticPayload] = []
  }

  private let state = Locked(State())
  private let inbox: PayloadInbox
  private let queue = DispatchQueue(label: "mistertop.payload-manager", qos: .utility)

  /// Nothing is delivered before it begins.
  private let beginning = DispatchSemaphore(value: 0)

  init(inbox: PayloadInbox) {
    self.inbox = inbox
    queue.async { self.beginning.wait() }
  }

  /// Begins to deliver.
  func begin() {
    beginning.signal()
  }

  /// The metric payloads delivered in this process, the oldest first.
  public var pastPayloads: [MetricPayload] { state.withLock { $0.past } }

  /// The diagnostic payloads delivered in this process, the oldest first.
  public var pastDiagnosticPayloads: [DiagnosticPayload] { state.withLock { $0.pastDiagnostics } }

  /// Adds a subscriber, which is held weakly, and delivers to it; nothing if it is one already.
  public func add(_ subscriber: any PayloadSubscriber) {
    let isNew = state.withLock { state in
      state.subscriptions.removeAll { $0.subscriber == nil }
      guard !state.subscriptions.contains(where: { $0.subscriber === subscriber }) else { return false }
      state.subscriptions.append(Subscription(subscriber: subscriber))
      return true
    }
    if isNew { startDelivery() }
  }

  /// Removes a subscriber; after a call that is under way it gets no further one.
  public func remove(_ subscriber: any PayloadSubscriber) {
    state.withLock { state in
      state.subscriptions.removeAll { $0.subscriber == nil || $0.subscriber === subscriber }
    }
  }

  /// Delivers what waits, and returns when all subscribers have taken it.
  ///
  /// It need not be called; a short program that would end before its payloads are delivered waits so.
  public func deliver() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.deliverAll()
        continuation.resume()
      }
    }
  }

  /// Hands clearly simulated payloads to all subscribers at once, as Xcode can; they are not kept, nor past payloads.
  ///
  /// ``MetricPayload/isSimulated`` is true of them, so that they stay out of averages.
  public func simulatePayloads() {
    queue.async {
      self.hand([.simulated], [.simulated], to: self.subscribers())
    }
  }

  /// Delivers what waits, on another thread.
  func startDelivery() {
    queue.async { self.deliverAll() }
  }
}

extension PayloadManager {
  /// Only ever runs on the queue, so that no two subscribers are called at the same time.
  private func deliverAll() {
    introduceNew()
    let subscribers = subscribers()
    guard !subscribers.isEmpty else { return }
    var files: [PayloadFile] = []
    var (metrics, diagnostics): ([MetricPayload], [DiagnosticPayload]) = ([], [])
    for file in inbox.waiting() {
      guard let payload = inbox.payload(of: file) else { continue }
      files.append(file)
      switch payload {
      case .metric(let payload): metrics.append(payload)
      case .diagnostic(let payload): diagnostics.append(payload)
      }
    }
    guard !files.isEmpty else { return }
    state.withLock { [metrics, diagnostics] state in
      state.past += metrics
      state.pastDiagnostics += diagnostics
    }
    hand(metrics, diagnostics, to: subscribers)
    inbox.remove(files)
  }

  /// Gives new subscribers what the others have got.
  private func introduceNew() {
    let (new, past, diagnostics) = state.withLock { state in
      let new = state.subscriptions.filter { !$0.isIntroduced }.compactMap(\.subscriber)
      for index in state.subscriptions.indices { state.subscriptions[index].isIntroduced = true }
      return (new, state.past, state.pastDiagnostics)
    }
    hand(past, diagnostics, to: new)
  }

  private func subscribers() -> [any PayloadSubscriber] {
    state.withLock { state in state.subscriptions.filter(\.isIntroduced).compactMap(\.subscriber) }
  }

  /// Calls subscribers, without a lock: they may call back.
  private func hand(
    _ metrics: [MetricPayload], _ diagnostics: [DiagnosticPayload], to subscribers: [any PayloadSubscriber]
  ) {
    for subscriber in subscribers {
      if !metrics.isEmpty, isSubscribed(subscriber) { subscriber.didReceive(metrics) }
      if !diagnostics.isEmpty, isSubscribed(subscriber) { subscriber.didReceive(diagnostics) }
    }
  }

  /// True if no one has removed it meanwhile.
  private func isSubscribed(_ subscriber: any PayloadSubscriber) -> Bool {
    state.withLock { state in state.subscriptions.contains { $0.subscriber === subscriber } }
  }
}
