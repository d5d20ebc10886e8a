import Dispatch
import Platform

/// Delivers payloads to subscribers; the counterpart of `MXMetricManager`.
///
/// ```swift
/// recorder.manager.add(subscriber)
/// ```
///
/// - All waiting payloads arrive in one call, oldest first, and only once: a payload is removed from disk after the
///   calls to all current subscribers have returned. If the process is killed in between, its next launch delivers it
///   again.
/// - Without a subscriber, payloads are neither delivered nor lost.
/// - Subscribers are held weakly and called one after the other on a background thread. They may call the manager
///   from within such a call.
/// - A subscriber added later first gets what the others already got in this process.
public final class PayloadManager: Sendable {
  private struct Subscription {
    weak let subscriber: (any PayloadSubscriber)?
    /// True if it has received the past payloads.
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

  /// Holds back deliveries until ``begin()``.
  private let beginning = DispatchSemaphore(value: 0)

  init(inbox: PayloadInbox) {
    self.inbox = inbox
    queue.async { self.beginning.wait() }
  }

  /// Starts delivering.
  func begin() {
    beginning.signal()
  }

  /// The metric payloads delivered in this process, oldest first.
  public var pastPayloads: [MetricPayload] { state.withLock { $0.past } }

  /// The diagnostic payloads delivered in this process, oldest first.
  public var pastDiagnosticPayloads: [DiagnosticPayload] { state.withLock { $0.pastDiagnostics } }

  /// Adds a subscriber, which is held weakly, and delivers to it; does nothing if it is already subscribed.
  public func add(_ subscriber: any PayloadSubscriber) {
    let isNew = state.withLock { state in
      state.subscriptions.removeAll { $0.subscriber == nil }
      guard !state.subscriptions.contains(where: { $0.subscriber === subscriber }) else { return false }
      state.subscriptions.append(Subscription(subscriber: subscriber))
      return true
    }
    if isNew { startDelivery() }
  }

  /// Removes a subscriber; a call in progress is its last one.
  public func remove(_ subscriber: any PayloadSubscriber) {
    state.withLock { state in
      state.subscriptions.removeAll { $0.subscriber == nil || $0.subscriber === subscriber }
    }
  }

  /// Delivers waiting payloads, and returns when all subscribers have received them.
  ///
  /// Usually not needed; a short-lived program calls it so as not to exit before the delivery.
  public func deliver() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.deliverAll()
        continuation.resume()
      }
    }
  }

  /// Delivers clearly simulated payloads to all subscribers at once, as Xcode can; they are neither saved nor counted
  /// as past payloads.
  ///
  /// ``MetricPayload/isSimulated`` is true for them, so that averages leave them out.
  public func simulatePayloads() {
    queue.async {
      self.hand([.simulated], [.simulated], to: self.subscribers())
    }
  }

  /// Delivers waiting payloads on another thread.
  func startDelivery() {
    queue.async { self.deliverAll() }
  }
}

extension PayloadManager {
  /// Runs only on the queue, so that no two subscribers are called at the same time.
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

  /// Gives new subscribers what the others have already received.
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

  /// Calls subscribers without holding the lock, since they may call back.
  private func hand(
    _ metrics: [MetricPayload], _ diagnostics: [DiagnosticPayload], to subscribers: [any PayloadSubscriber]
  ) {
    for subscriber in subscribers {
      if !metrics.isEmpty, isSubscribed(subscriber) { subscriber.didReceive(metrics) }
      if !diagnostics.isEmpty, isSubscribed(subscriber) { subscriber.didReceive(diagnostics) }
    }
  }

  /// True if it has not been removed meanwhile.
  private func isSubscribed(_ subscriber: any PayloadSubscriber) -> Bool {
    state.withLock { state in state.subscriptions.contains { $0.subscriber === subscriber } }
  }
}
