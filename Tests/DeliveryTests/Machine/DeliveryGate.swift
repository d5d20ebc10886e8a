import DeliveryCore
import Resilience

/// When nothing may be posted, told again from the specification: from outcomes alone, without the machine's own state.
struct DeliveryGate {
  private enum Network { case online, offline, returning(Duration) }

  /// The least part of a cooldown that chance leaves.
  private let leastCooldown: Double
  private var network = Network.online
  private var failures = 0
  private var breakerFailures = 0
  private var trips = 0
  private var floorUntil = Duration.zero
  private var askedUntil = Duration.zero
  private var openUntil: Duration?
  /// The server refused this client.
  private var isDisabled = false

  init(_ configuration: DeliveryConfiguration) {
    leastCooldown = 1 - configuration.breaker.backoff.jitter
  }

  /// Why a batch should not have been posted now.
  func objection(at now: Duration) -> String? {
    if isDisabled { return "posted by a client that the server refused" }
    if case .offline = network { return "posted while offline" }
    if case .returning(let moment) = network, now < moment { return "posted before the network was stable" }
    if now < floorUntil { return "posted \(floorUntil - now) before the retry" }
    if now < askedUntil { return "posted \(askedUntil - now) before the server allowed it" }
    if let openUntil, now < openUntil { return "posted \(openUntil - now) before the breaker allowed it" }
    return nil
  }

  mutating func ended(_ ending: ModelCall.Ending, at now: Duration) {
    switch ending {
    case .answer(200..<300, _): forget()
    case .answer(401, _), .answer(403, _), .answer(404, _): isDisabled = true
    case .answer(429, let wait): failed(least: .seconds(1), asked: wait, at: now)
    case .answer(400..<500, _) where ending.status != 408:
      failures = 0
      breakerFailures = 0
      floorUntil = .zero
      askedUntil = .zero
      openUntil = nil
    case .answer(_, let wait): failed(least: .milliseconds(100), asked: wait, at: now)
    case .unanswered: failed(least: .zero, asked: nil, at: now)
    case .notEncodable, .late: break
    }
  }

  mutating func timePasses(at now: Duration, timesOut: Bool) {
    if case .returning(let moment) = network, moment <= now {
      network = .online
      forget()
    }
    if timesOut { failed(least: .zero, asked: nil, at: now) }
  }

  /// A retry is cancelled; what the server asked for, and the breaker, stay.
  mutating func groundChanged() { floorUntil = .zero }

  mutating func networkLost() { network = .offline }

  mutating func networkFound(at now: Duration) {
    if case .offline = network { network = .returning(now + .seconds(2)) }
  }

  private mutating func forget() {
    failures = 0
    breakerFailures = 0
    trips = 0
    floorUntil = .zero
    askedUntil = .zero
    openUntil = nil
  }

  private mutating func failed(least: Duration, asked: Int?, at now: Duration) {
    failures += 1
    floorUntil = now + max(least, .seconds(failures > 3 ? 8 : 1 << (failures - 1)))
    askedUntil = now + .seconds(min(max(0, asked ?? 0), 3600))
    breakerFailures += 1
    // Whatever is posted after a cooldown is a probe, and one failure of it is enough.
    guard breakerFailures >= 3 || openUntil != nil else { return }
    trips += 1
    breakerFailures = 0
    let seconds = min(120, 10 * Double(1 << min(trips - 1, 10)) * leastCooldown)
    openUntil = now + .seconds(seconds)
  }
}

extension ModelCall.Ending {
  fileprivate var status: Int? {
    if case .answer(let status, _) = self { status } else { nil }
  }
}
