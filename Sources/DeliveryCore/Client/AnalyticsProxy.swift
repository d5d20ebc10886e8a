import Essentials
import Platform

/// A stand-in for a client from the start: calls before it is ready are buffered and delivered in order.
package final class AnalyticsProxy: Sendable {
  private enum Binding {
    case unbound
    case bound(AnalyticsClient, InitOptions)
    /// Invalid options; later calls are counted as dropped.
    case refused(InitOptions, DeliveryError)
  }

  private struct State {
    var binding = Binding.unbound
    var calls: CallQueue
    /// The last client that was reset; the next one waits until it has released the files.
    var previous: AnalyticsClient?
    var droppedCalls = 0
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
      case .unbound, .refused: break
      }
      if let error {
        state.binding = .refused(options, error)
        let waiting = state.calls.take().calls
        state.droppedCalls += waiting.count(where: \.isEvent)
        return .refuse(error, waiting)
      }
      state.calls.setLimit(options.maxBufferedCalls)
      let client = AnalyticsClient(options, environment, calls: state.calls)
      state.binding = .bound(client, options)
      defer { state.previous = nil }
      return .start(client, after: state.previous)
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
      for call in waiting { refuse(call) }
      return nil
    }
  }

  /// Same as ``initialize(with:)``, and returns once the client is ready or was refused.
  package func initializeAndWait(with options: InitOptions) async {
    await initialize(with: options)?.untilReady()
  }

  /// Ends the client and forgets its user; calls are buffered again.
  ///
  /// - Returns: The client that is ending.
  @discardableResult
  package func reset(_ waiter: Waiter<Void>? = nil) -> AnalyticsClient? {
    typealias Ended = (client: AnalyticsClient?, waiting: [Call], previous: AnalyticsClient?)
    let (client, waiting, previous) = state.withLock { state -> Ended in
      defer { state.binding = .unbound }
      guard case .bound(let client, _) = state.binding else {
        // Buffered calls belong to the user to be forgotten.
        let waiting = state.calls.take().calls
        state.droppedCalls += waiting.count(where: \.isEvent)
        return (nil, waiting, state.previous)
      }
      state.calls = CallQueue(limit: InitOptions.defaultBufferedCalls)
      state.previous = client
      return (client, [], nil)
    }
    if let client {
      client.accept(.reset(waiter))
    } else {
      environment.log(LogLine(.warning, "reset does nothing: the client is not initialized."))
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
    return client
  }

  /// Same as ``reset(_:)``, and returns once it is done.
  package func resetAndWait() async {
    await withCheckedContinuation { continuation in
      reset(Waiter { continuation.resume() })
    }
  }

  // MARK: Calls

  /// Accepts a call from any thread.
  package func accept(_ call: Call) {
    // Appended under the lock: otherwise a reset could replace the queue in between.
    let (client, isRefused) = state.withLock { state -> (AnalyticsClient?, Bool) in
      switch state.binding {
      case .refused:
        if call.isEvent { state.droppedCalls += 1 }
        return (nil, true)
      case .unbound:
        _ = state.calls.append(call)
        return (nil, false)
      case .bound(let client, _):
        return (state.calls.append(call) ? client : nil, false)
      }
    }
    if let client { Task.detached { await client.drain() } }
    if isRefused { refuse(call) }
  }

  /// Resumes callers waiting for a client that will never exist.
  private func refuse(_ call: Call) {
    switch call {
    case .event, .setAdvertisingID, .setTracing, .enableDebugLogging, .recordOpenedURL, .networkChanged,
      .enterForeground:
      break
    case .flush(let waiter), .enterBackground(let waiter), .terminate(let waiter), .reset(let waiter):
      waiter?.resume()
    case .anonymousID(let waiter): waiter.resume(storedAnonymousID())
    case .debugInfo(let waiter): waiter.resume(debugInfo())
    case .status(let waiter): waiter.resume(ClientStatus())
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
      case .unbound: break
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
