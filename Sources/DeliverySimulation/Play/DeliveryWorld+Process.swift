import DeliveryCore
import Essentials
import MisterMetricsCore
import SimulationKit

extension DeliveryWorld {
  // MARK: - The process

  /// True if a process is running.
  package var isAlive: Bool { process != nil }

  /// Events neither delivered nor dropped: those of the process, and those on disk unless the process already counts them.
  package var waiting: Int {
    guard let core = process?.core else { return disk.count }
    return core.waiting + (core.storage == nil ? disk.count : 0)
  }

  /// Starts a process, or initializes a client that was reset.
  ///
  /// - Returns: The reason if nothing was started.
  func start() -> String? {
    if let process, process.core.lifecycle.state != .idle { return "the client is initialized" }
    starts += 1
    let options = InitOptions(constants)
    var core = ClientCore(options, environment, journal: journal)
    core.step.branch = branch
    core.configure(options, DeliveryConfiguration(constants))
    core.begin()
    let calls = process?.calls ?? CallQueue(limit: options.maxBufferedCalls)
    process = Process(core: core, calls: calls)
    perform()
    if calls.open() { drain(by: .app) }
    call(.networkChanged(isOnline: isOnline), by: .app)
    return nil
  }

  private var environment: DeliveryEnvironment {
    let (disk, values, refused) = (disk, values, refused)
    var environment = DeliveryEnvironment(
      clock: clock, generator: SimulationRandom(seed: seed, stream: 16 + UInt64(starts)),
      transport: UnusedTransport(), context: app, network: AlwaysOnline(),
      openStorage: { _ in disk }, openValues: { _ in values }, log: { _ in }, isForeground: { true })
    environment.openRefused = { _ in refused }
    return environment
  }

  /// Ends the process; events held only in memory are lost.
  func endProcess() {
    guard let (core, calls) = process.map({ ($0.core, $0.calls.take()) }) else { return }
    lost += max(0, core.waiting - core.machine.stored) + calls.calls.count(where: \.isEvent) + calls.pushedOut
    process = nil
    exchange = nil
  }

  // MARK: - Calls

  /// Makes a call of the app, which waits until the client is ready.
  func call(_ call: Call, by initiator: DeliveryInitiator) {
    guard let calls = process?.calls, calls.append(call) else { return }
    drain(by: initiator)
  }

  private func drain(by initiator: DeliveryInitiator) {
    while let (calls, pushedOut) = process?.calls.take() {
      if pushedOut > 0 { process?.core.pushedOut(pushedOut) }
      if calls.isEmpty { break }
      for call in calls {
        process?.core.handle(call, by: initiator)
        perform()
      }
    }
  }

  /// Forgets the user; from then on, calls wait for the next start.
  func reset(by initiator: DeliveryInitiator) {
    guard let process else { return }
    guard process.core.lifecycle.state != .idle else { return giveUpCalls(of: process, by: initiator) }
    call(.reset(nil), by: initiator)
    if self.process?.core.lifecycle.state == .idle {
      self.process?.calls = CallQueue(limit: InitOptions(constants).maxBufferedCalls)
    }
  }

  /// Drops calls that wait for an uninitialized client, since they belong to the user to be forgotten.
  private func giveUpCalls(of process: Process, by initiator: DeliveryInitiator) {
    let (calls, pushedOut) = process.calls.take()
    self.process?.core.begin(step: "reset", by: initiator)
    self.process?.core.count(.reset, calls.count(where: \.isEvent) + pushedOut)
    record(.reset, refused: "the client is not initialized", by: initiator)
  }

  // MARK: - Exchanges

  /// Executes the client's effects.
  func perform() {
    for effect in process?.core.takeEffects() ?? [] {
      switch effect {
      case .send(let request, let sequence):
        exchange = endpoint.exchange(
          sequence, request, from: process?.core.machine.inFlight?.source ?? .memory, at: now,
          calendar: clock.recordTime)
      case .cancel(let sequence): if exchange?.sequence == sequence { exchange = nil }
      case .resume(let waiter): waiter.resume()
      case .report: break
      }
    }
  }

  /// Lets the endpoint accept what has arrived by now.
  func settleArrival() {
    guard let arrival = exchange?.arrival, arrival.moment <= now else { return }
    exchange?.arrival = nil
    endpoint.take(arrival.ids)
  }

  /// Reports the end of its exchange to the client.
  func conclude() {
    guard let done = exchange else { return }
    exchange = nil
    process?.core.conclude(done.sequence, done.result)
    perform()
  }

  /// Cuts the exchange in flight when the network is lost.
  func cutExchange() {
    guard let flying = exchange else { return }
    exchange = flying.cut(at: now)
  }
}

extension SimulatedEndpoint.Exchange {
  /// The same exchange cut now; anything that has not arrived yet is lost.
  fileprivate func cut(at now: Duration) -> Self {
    SimulatedEndpoint.Exchange(
      sequence: sequence, end: now + .milliseconds(5),
      result: .failure(TransportFailure(.unreachable, "the network connection was lost")),
      purpose: "connection lost")
  }
}
