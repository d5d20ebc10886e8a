import DeliveryCore
import Essentials
import SimulationKit

/// The acts on a delivery client and the answers to its batches, read from the entries of its record.
struct ReproducedDelivery {
  /// The start, in seconds since 2001.
  let start: Double
  /// Assumptions beyond the record, one sentence each.
  private(set) var assumptions: [String] = []
  /// The constants at the start.
  private(set) var options: DeliveryConstants
  private var acts: [DeliveryTimedAct] = []
  /// Attempts to post a batch, with the times when they ended.
  private var batches: [(end: Double, batch: DeliveryBatch)] = []
  private var constants: DeliveryConstants
  private var isOffline = false
  /// True if no initialized client is running.
  private var isOver = false
  private var lastTime: Double
  /// Time of the last event that was not an act.
  private var decided = Duration.milliseconds(-1)
  /// Time at which the client would have sent next by itself, in seconds since 2001.
  private var due: Double?

  /// The app's calls that a scenario can make.
  private static let calls: [String: DeliverySimulationAct] = [
    "flush": .flush, "sendRefusedAgain": .sendRefusedAgain, "enterBackground": .background,
    "enterForeground": .foreground, "reset": .reset,
    "terminate": .terminate, "kill": .kill,
  ]

  /// Reads entries, the first of which is the start of a client.
  init(_ entries: ArraySlice<RecordedDelivery>, options: DeliveryConstants?) {
    let first = ScenarioMoment.nearest(to: entries.first?.time ?? 0).timeIntervalSinceReferenceDate
    start = (first * 1000).rounded(.down) / 1000
    lastTime = start
    self.options = options ?? Self.options(of: entries)
    constants = self.options
    for (place, entry) in zip(entries.indices, entries) {
      if place > entries.startIndex, entry.isStart {
        restart(at: entry.time)
      } else {
        noteSleep(before: entry.time)
      }
      handle(entry)
      lastTime = entry.time
      if entry.isByItself { decided = max(decided, moment(entry.time)) }
    }
  }

  func moment(_ time: Double) -> Duration { Duration(recorded: time - start) }

  /// Adds an act; acts come first at any given time, so one after another event is moved to the next millisecond.
  private mutating func add(_ act: DeliverySimulationAct, at time: Double) {
    acts.append(DeliveryTimedAct(at: max(moment(time), decided + .milliseconds(1)), act))
  }

  private mutating func assume(_ text: String, from time: Double, to end: Double) {
    let moments = [time, end].map { ScenarioMoment.text(ScenarioMoment.nearest(to: $0)) }
    assumptions.append("\(moments.joined(separator: " to ")): \(text)")
  }

  private mutating func handle(_ entry: RecordedDelivery) {
    switch entry.value {
    case .act(let act):
      guard act.refused == nil, let call = Self.calls[act.act] else { return }
      isOver = call == .terminate || call == .kill || call == .reset
      add(call, at: entry.time)
    case .queue(let queue):
      due = queue.nextAt
      // Each event is a separate call.
      if let kind = EventDraft.Kind(rawValue: queue.cause) {
        add(.event(SimulatedEvent(kind)), at: entry.time)
      }
    case .drop(let drop):
      guard drop.by == .app, drop.cause == DropCause.disabled.rawValue else { return }
      add(.event(SimulatedEvent(.track, count: drop.count)), at: entry.time)
    case .lifecycle(let change):
      let isLost = change.network == "offline"
      guard change.from == change.to, !change.refused, isLost != isOffline else { return }
      isOffline = isLost
      add(.fault(EndpointFaultSetting(.offline, isOn: isLost)), at: entry.time)
    case .batch(let batch): batches.append((entry.time, batch))
    case .configuration(let new):
      if new != constants { add(.configure(new), at: entry.time) }
      constants = new
    case .breaker, .seed: break
    }
  }

  /// Starts a new process, or a new client in the same one.
  private mutating func restart(at time: Double) {
    if !isOver {
      assume(
        "the app restarted; assumed: it was killed after its last record", from: lastTime, to: time)
      add(.kill, at: lastTime + 0.001)
    }
    // A client starts with a network, and is told immediately if there is none.
    if isOffline { add(.fault(EndpointFaultSetting(.offline, isOn: false)), at: lastTime + 0.001) }
    (isOffline, isOver, due) = (false, false, nil)
    add(.start, at: time)
  }

  /// Adds a sleep of the device if something was due and did not happen.
  private mutating func noteSleep(before time: Double) {
    guard let due, !isOver, time > due + 2 else { return }
    assume(
      "something was due and nothing happened; assumed: the device slept", from: lastTime, to: time)
    add(.leap(Duration(recorded: time - lastTime - 0.001)), at: lastTime + 0.001)
    self.due = nil
  }

  /// The constants shown by the record: those reported by the client, and the batch size.
  private static func options(of entries: ArraySlice<RecordedDelivery>) -> DeliveryConstants {
    struct Shown: Decodable {
      var flushIntervalSeconds, maxQueueEvents, maxDiskEvents: Int?
    }
    func bounded(_ value: Int?, to range: ClosedRange<Int64>, else usual: Int) -> Int {
      value.map { min(max($0, Int(range.lowerBound)), Int(range.upperBound)) } ?? usual
    }
    var options = DeliveryConstants()
    for entry in entries {
      switch entry.value {
      case .lifecycle(let change) where entry.isStart:
        guard let shown = try? JSONDecoder().decode(Shown.self, from: Data(change.debug.utf8)) else { break }
        let (intervals, sizes) = (DeliveryConstants.intervals, DeliveryConstants.sizes)
        options.flushIntervalSeconds = bounded(
          shown.flushIntervalSeconds, to: intervals, else: options.flushIntervalSeconds)
        options.maxQueueEvents = bounded(shown.maxQueueEvents, to: sizes, else: options.maxQueueEvents)
        options.maxDiskEvents = bounded(
          shown.maxDiskEvents, to: DeliveryConstants.diskSizes, else: options.maxDiskEvents)
      case .queue(let queue) where queue.cause == "initialize":
        // No call can have created these events yet.
        if queue.memory > 0 { options.trackLifecycleEvents = true }
      case .batch(let batch):
        options.batchSize = bounded(
          batch.maxBatchSize, to: DeliveryConstants.batchSizes, else: options.batchSize)
        return options
      default: break
      }
    }
    return options
  }

  // MARK: The scenario

  /// Creates the scenario.
  ///
  /// - Parameters:
  ///   - name: The name of the scenario.
  ///   - end: End of the scenario, in seconds since 2001.
  ///   - tolerance: Maximum deviation of exchange durations from the recorded ones, in seconds.
  func scenario(name: String, seed: UInt64, until end: Double, tolerance: Double) -> DeliveryScenario {
    let date = Date(timeIntervalSinceReferenceDate: start)
    // No answer is faster than the simulated one, and each time is rounded to milliseconds.
    let length = (moment(end) + SimulatedEndpoint.roundTrip + .milliseconds(10))
      .bounded(to: ScenarioReader.moments)
    var scenario = DeliveryScenario(
      name: name, title: "As recorded from \(ScenarioMoment.text(date)) on",
      story:
        "What a delivery client has recorded, as acts: its events, its calls, and how its batches were answered.",
      seed: seed, start: date, duration: length)
    scenario.options = options
    scenario.acts = (answers(within: tolerance) + acts).inOrder().filter { $0.at <= length }
    return scenario
  }

  /// The faults that produce the recorded answers, each set during the previous batch.
  private func answers(within tolerance: Double) -> [DeliveryTimedAct] {
    var acts: [DeliveryTimedAct] = []
    var shown: [EndpointFault: EndpointFaultSetting] = [:]
    var moment = Duration.zero
    for (end, batch) in batches {
      let wanted = Self.faults(of: batch, beside: shown[.latency], within: tolerance)
      for fault in EndpointFault.allCases where shown[fault] != wanted[fault] {
        let setting = wanted[fault] ?? EndpointFaultSetting(fault, isOn: false)
        acts.append(DeliveryTimedAct(at: moment, .fault(setting)))
      }
      shown = wanted
      moment = self.moment(end - batch.latencyMs / 2000)
    }
    return acts
  }

  private static func faults(
    of batch: DeliveryBatch, beside shown: EndpointFaultSetting?, within tolerance: Double
  ) -> [EndpointFault: EndpointFaultSetting] {
    var faults: [EndpointFault: EndpointFaultSetting] = [:]
    func set(_ fault: EndpointFault, _ amount: Double? = nil) {
      faults[fault] = EndpointFaultSetting(fault, amount: amount)
    }
    var length = batch.latencyMs
    switch (batch.error, batch.status) {
    case (TransportFailure.Code.timedOut.rawValue, _):
      set(.dropRequest)
      return faults
    case (.some, _):
      set(.disconnect, length / 1000)
      // The answer must come later than the cut.
      length += 1000
    case (nil, let status?):
      switch status {
      case 200..<300: break
      case 429: batch.retryAfter.map { set(.rateLimitRetryAfter, $0) } ?? set(.rateLimit)
      case 503: batch.retryAfter.map { set(.retryDate, $0) } ?? set(.serverError, 503)
      case 500...599: set(.serverError, Double(status))
      case 401, 403, 404: set(.unauthorized, Double(status))
      default: set(.status, Double(status))
      }
    case (nil, nil): break
    }
    let latency = length.rounded() - SimulatedEndpoint.roundTrip / .milliseconds(1)
    if abs((shown?.amount ?? 0) - latency) <= tolerance * 1000 {
      faults[.latency] = shown
    } else if latency > 0 {
      set(.latency, latency)
    }
    return faults
  }
}
