import Essentials
import Platform

/// A stand-in for a client from the start: calls before it is ready are buffered and delivered in order.
package final class AnalyticsProxy: Sendable {
  private enum Binding {
    case unbound
    case bound(AnalyticsClient, InitOptions)
    /// After a reset: the next event starts a client with the same options, under a new anonymous id.
    case ended(InitOptions)
    /// Invalid options; later calls are counted as dropped.
    case refused(InitOptions, DeliveryError)
  }

  private struct State {
    var binding = Binding.unbound
    var calls: CallQueue
    /// The last client that was reset; the next one waits until it has released the files.
    var previous: AnalyticsClient?
    /// The right to the folder of the last client.
    var claim: FolderClaim?
    var droppedCalls = 0
    var isEnabled = true
  }

  private let state: Locked<State>
  private let environment: DeliveryEnvironment
  /// Held during lookup or creation of an id for a refused client, so that all callers get the same one.
  private let makesIdentity = Locked(())

  /// The timestamp of an event created now.
  var moment: Date { environment.clock.wallTime }

  /// Creates a proxy without a client.
  package init(_ environment: DeliveryEnvironment) {
    self.environment = environment
    state = Locked(State(calls: CallQueue(limit: InitOptions.defaultBufferedCalls)))
  }

  /// The outcome of an initialization, decided under the lock.
  private enum Start {
    case start(AnalyticsClient, after: AnalyticsClient?)
    case ignore(AnalyticsClient?)
    case refuse(DeliveryError, [Call])
  }

  /// Sets up a client and returns at once.
  ///
  /// - Returns: The client that receives calls; `nil` if the options are invalid.
  @discardableResult
  package func initialize(with options: InitOptions) -> AnalyticsClient? {
    let error = options.validationError
    let environment = environment
    let start = state.withLock { state -> Start in
      switch state.binding {
      case .bound(let client, _): return .ignore(client)
      case .unbound, .ended, .refused: break
      }
      if let error {
        state.binding = .refused(options, error)
        let waiting = state.calls.take().calls
        state.droppedCalls += waiting.count(where: \.isEvent)
        return .refuse(error, waiting)
      }
      state.calls.setLimit(options.maxBufferedCalls)
      let (client, previous) = bind(options, &state)
      return .start(client, after: previous)
    }
    switch start {
    case .start(let client, let previous):
      Task.detached { await client.start(after: previous) }
      return client
    case .ignore(let client):
      environment.log(
        LogLine(
          .warning, "initialize was called again and is ignored: call reset first to use other options."))
      return client
    case .refuse(let error, let waiting):
      environment.log(LogLine(.warning, "The client cannot start: \(error.message)"))
      options.onError?(error)
      for call in waiting { answer(call) }
      return nil
    }
  }

  /// Binds calls to a new client, which starts once the previous one has released the files.
  private func bind(
    _ options: InitOptions, _ state: inout State
  ) -> (client: AnalyticsClient, previous: AnalyticsClient?) {
    if let claim = environment.claim(options), claim.path != state.claim?.path { state.claim = claim }
    let client = AnalyticsClient(options, environment, calls: state.calls, claim: state.claim)
    state.binding = .bound(client, options)
    defer { state.previous = nil }
    return (client, state.previous)
  }

  /// Same as ``initialize(with:)``, and returns once the client is ready or was refused.
  package func initializeAndWait(with options: InitOptions) async {
    await initialize(with: options)?.untilReady()
  }

  /// Ends the client and forgets its user; the next event starts a client with a new anonymous id.
  ///
  /// Later calls never belong to the old user, even if the process ends before the files are cleared.
  ///
  /// - Returns: The client that is ending.
  @discardableResult
  package func reset(_ waiter: Waiter<Void>? = nil) -> AnalyticsClient? {
    typealias Ended = (bound: (AnalyticsClient, InitOptions)?, waiting: [Call], previous: AnalyticsClient?)
    let (bound, waiting, previous) = state.withLock { state -> Ended in
      guard case .bound(let client, let options) = state.binding else {
        if case .refused = state.binding { state.binding = .unbound }
        // Buffered calls belong to the user to be forgotten.
        let waiting = state.calls.take().calls
        state.droppedCalls += waiting.count(where: \.isEvent)
        return (nil, waiting, state.previous)
      }
      state.binding = .ended(options)
      state.calls = CallQueue(limit: options.maxBufferedCalls)
      state.previous = client
      return ((client, options), [], nil)
    }
    if let (client, options) = bound {
      mark(options, state.withLock { $0.claim })
      client.accept(.reset(waiter))
    } else {
      environment.log(
        LogLine(
          .warning,
          "reset without a client: waiting calls are dropped, and so is what an earlier launch stored."))
      if previous == nil { forgetEarlierLaunch() }
      for call in waiting where !call.isSilent { accept(call) }
      guard let previous, let waiter else {
        waiter?.resume()
        return nil
      }
      // An earlier reset may still be in progress.
      Task.detached {
        await previous.untilEnd()
        waiter.resume()
      }
    }
    return bound?.0
  }

  /// Notes a reset in the folder, unless that is another client's.
  private func mark(_ options: InitOptions, _ claim: FolderClaim?) {
    guard claim?.take() ?? true else { return }
    do { try ResetMark(environment, options).set() } catch {
      environment.log(
        LogLine(.warning, "If the process ends now, the reset is incomplete: \(error.message)"))
      options.onError?(DeliveryError(.storage, error.message))
    }
  }

  /// Notes that the next client over the usual folder has to forget what an earlier launch stored there.
  private func forgetEarlierLaunch() {
    let options = InitOptions(writeKey: "", ingestionHost: "")
    let stored = IdentityStorage(environment.openValues(options), namespace: options.storageNamespace)
    if stored.hasIdentity { mark(options, environment.claim(options)) }
  }

  /// Same as ``reset(_:)``, and returns once it is done.
  package func resetAndWait() async {
    await withCheckedContinuation { continuation in
      reset(Waiter { continuation.resume() })
    }
  }

  // MARK: Calls

  /// False while events are not collected.
  package var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  /// Accepts a call from any thread.
  package func accept(_ call: Call) {
    // Appended under the lock: otherwise a reset could replace the queue in between.
    let next = state.withLock { state -> Next in
      if call.isEvent, !state.isEnabled { return .none }
      switch state.binding {
      case .refused:
        if call.isEvent { state.droppedCalls += 1 }
        return .answer
      case .ended(let options) where call.needsClient:
        _ = state.calls.append(call)
        let (client, previous) = bind(options, &state)
        return .start(client, after: previous)
      case .unbound, .ended:
        guard call.isSilent || call.needsClient else { return .answer }
        _ = state.calls.append(call)
        return .none
      case .bound(let client, _):
        return state.calls.append(call) ? .drain(client) : .none
      }
    }
    switch next {
    case .none: break
    case .answer: answer(call)
    case .drain(let client): Task.detached { await client.drain() }
    case .start(let client, let previous): Task.detached { await client.start(after: previous) }
    }
  }

  /// The work that an accepted call leaves, decided under the lock.
  private enum Next {
    case none
    case answer
    case drain(AnalyticsClient)
    case start(AnalyticsClient, after: AnalyticsClient?)
  }

  /// Answers a caller for whom there is no client.
  private func answer(_ call: Call) {
    switch call {
    case .event, .setAdvertisingID, .setTracing, .enableDebugLogging, .recordOpenedURL, .networkChanged,
      .enterForeground, .flush, .enterBackground, .terminate, .sendRefusedAgain, .reset:
      call.waiter?.resume()
    case .anonymousID(let waiter): waiter.resume(storedAnonymousID())
    case .debugInfo(let waiter): waiter.resume(debugInfo())
    case .status(let waiter): waiter.resume(ClientStatus())
    case .refusedEvents(let waiter): waiter.resume([])
    }
  }

  private func storedAnonymousID() -> String {
    let options = state.withLock { state -> InitOptions? in
      if case .refused(let options, _) = state.binding { options } else { nil }
    }
    let values = options ?? InitOptions(writeKey: "", ingestionHost: "")
    return makesIdentity.withLock { _ in
      let storage = IdentityStorage(environment.openValues(values), namespace: values.storageNamespace)
      var generator: any RandomNumberGenerator & Sendable = environment.generator
      return storage.identity(using: &generator).identity.anonymousID
    }
  }

  /// True if calls go to a client that is ready.
  package var isReady: Bool {
    state.withLock { state in
      if case .bound = state.binding { state.calls.isReady } else { false }
    }
  }

  /// The debug information available without a client.
  package func debugInfo() -> [String: PropertyValue] {
    state.withLock { state in
      var info: [String: PropertyValue] = [
        "proxy": .bool(true), "lifecycle": .text("idle"), "bufferedCalls": .integer(Int64(state.calls.count)),
      ]
      switch state.binding {
      case .unbound, .ended: break
      case .bound(_, let options):
        info["lifecycle"] = .text("initializing")
        describe(options, in: &info)
      case .refused(let options, let error):
        info["error"] = .text(error.message)
        describe(options, in: &info)
      }
      if state.droppedCalls > 0 {
        info["dropped"] = .object([DropCause.invalidOptions.rawValue: .integer(Int64(state.droppedCalls))])
      }
      return info
    }
  }

  private func describe(_ options: InitOptions, in info: inout [String: PropertyValue]) {
    info["writeKey"] = .text(Masked.key(options.writeKey))
    info["ingestionHost"] = .text(options.ingestionHost)
  }
}

extension Call {
  /// True if the call creates an event.
  package var isEvent: Bool {
    if case .event = self { true } else { false }
  }

  /// True if the call waits for a client, and starts one after a reset.
  fileprivate var needsClient: Bool {
    switch self {
    case .event, .anonymousID: true
    default: false
    }
  }
}

extension InitOptions {
  /// The error that ``validate()`` throws.
  var validationError: DeliveryError? {
    do {
      try validate()
      return nil
    } catch { return error }
  }
}
