import DeliveryCore
import Essentials
import SimulationKit

/// The endpoint behind an unreliable connection: its answers to batches, their timing, and the events it has accepted.
struct SimulatedEndpoint: Sendable {
  /// Round-trip time of a request without faults.
  static let roundTrip = Duration.milliseconds(80)

  /// One exchange, decided when the request is sent.
  struct Exchange: Sendable {
    /// The number of the batch.
    let sequence: Int
    /// The message ids that the endpoint accepts, and when; `nil` if it accepts none.
    var arrival: (moment: Duration, ids: [String])?
    /// Time at which the client learns the result.
    let end: Duration
    let result: Result<DeliveryAnswer, TransportFailure>
    /// A short description of the awaited event.
    let purpose: String
  }

  /// The current faults.
  var faults = EndpointFaultBoard()
  /// The accepted ids, in the order of their first arrival.
  private(set) var taken: [String] = []
  /// Number of events received again.
  private(set) var repeated = 0
  private var known: Set<String> = []
  private var random: SimulationRandom

  init(random: SimulationRandom) {
    self.random = random
  }

  /// Records the events that arrived.
  mutating func take(_ ids: [String]) {
    for id in ids {
      if known.insert(id).inserted { taken.append(id) } else { repeated += 1 }
    }
  }

  // MARK: - Exchanges

  /// The outcome of a request sent now.
  ///
  /// - Parameter calendar: The endpoint's own calendar time.
  mutating func exchange(
    _ sequence: Int, _ request: DeliveryRequest, from source: DeliveryMachine.Source, at now: Duration,
    calendar: Date
  ) -> Exchange {
    let strikes = faults.strikes(using: &random) { $0.contains(source) }
    let delay = delay(strikes)
    let limit = now + request.timeout
    func failing(_ code: TransportFailure.Code, _ text: String, at end: Duration) -> Exchange {
      Exchange(
        sequence: sequence, end: end, result: .failure(TransportFailure(code, text)),
        purpose: code == .timedOut ? "time-out" : "connection lost")
    }
    if strikes[.offline] != nil { return failing(.unreachable, "no network", at: now + .milliseconds(5)) }
    if strikes[.dropRequest] != nil { return failing(.timedOut, "no answer in time", at: limit) }
    let arrival = now + delay / 2 + Self.transfer(request.body.count, strikes)
    let ids = MessageIDs.found(in: request.body)
    let answer = answer(to: ids.count, strikes, calendar: calendar)
    let isTaken = (200..<300).contains(answer.status)
    let end = arrival + delay / 2
    var exchange = Exchange(
      sequence: sequence, end: end, result: .success(answer), purpose: "answer to batch \(sequence)")
    if let seconds = strikes[.disconnect], now + .seconds(seconds) < min(end, limit) {
      exchange = failing(.unreachable, "the connection was closed", at: now + .seconds(seconds))
    } else if strikes[.dropReply] != nil || end > limit {
      exchange = failing(.timedOut, "no answer in time", at: limit)
    }
    if isTaken, arrival <= exchange.end { exchange.arrival = (arrival, ids) }
    return exchange
  }

  private mutating func delay(_ strikes: [EndpointFault: Double]) -> Duration {
    var delay = Self.roundTrip
    // Whole milliseconds, so that it is the same on every machine.
    if let latency = strikes[.latency] { delay += .milliseconds(Int64(latency)) }
    if let jitter = strikes[.jitter] {
      delay += .milliseconds(Int64(((random.unit() * 2 - 1) * jitter).rounded()))
    }
    return max(delay, .milliseconds(2))
  }

  private static func transfer(_ bytes: Int, _ strikes: [EndpointFault: Double]) -> Duration {
    guard let rate = strikes[.bandwidth], rate > 0 else { return .zero }
    return .milliseconds(Int64(min(Double(bytes) / rate, 1e9).rounded(.up)))
  }

  private func answer(
    to count: Int, _ strikes: [EndpointFault: Double], calendar: Date
  ) -> DeliveryAnswer {
    if let status = strikes[.unauthorized] {
      let status = Int(status) == 402 ? 403 : Int(status)
      return DeliveryAnswer(status: status, detail: "unknown write key")
    }
    if let status = strikes[.status] { return DeliveryAnswer(status: Int(status), detail: "simulated") }
    if let most = strikes[.tooLarge], count > Int(most) {
      return DeliveryAnswer(status: 413, detail: "at most \(Int(most)) events")
    }
    if let wait = strikes[.rateLimitRetryAfter] {
      return DeliveryAnswer(status: 429, retryAfter: String(Int(wait)), detail: "too many requests")
    }
    if strikes[.rateLimit] != nil { return DeliveryAnswer(status: 429, detail: "too many requests") }
    if let wait = strikes[.retryDate] {
      let date = HTTPDate.text(calendar.addingTimeInterval(wait))
      return DeliveryAnswer(status: 503, retryAfter: date, detail: "maintenance")
    }
    if let status = strikes[.serverError] {
      return DeliveryAnswer(status: Int(status), detail: "service unavailable")
    }
    return DeliveryAnswer(
      status: 200, detail: strikes[.halfBody] != nil ? "{\"accep" : "{\"accepted\":\(count)}")
  }
}

/// Extracts the message ids from a body.
enum MessageIDs {
  // Quotation marks are escaped within strings, so this matches a member and never part of a value.
  private static let name = Data("\"messageId\":\"".utf8)

  /// All message ids, in order.
  static func found(in body: Data) -> [String] {
    var ids: [String] = []
    var rest = body.startIndex..<body.endIndex
    while let start = body[rest].firstRange(of: name)?.upperBound {
      let end = body[start...].firstIndex(of: UInt8(ascii: "\"")) ?? body.endIndex
      ids.append(String(decoding: body[start..<end], as: UTF8.self))
      rest = end..<body.endIndex
    }
    return ids
  }
}
