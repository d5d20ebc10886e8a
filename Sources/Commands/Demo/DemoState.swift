import SimulationKit

/// The state of the sample app at a point in time.
struct DemoState: Sendable {
  var random: SimulationRandom
  /// Seconds since the start of the demo.
  private(set) var time = 0.0
  private(set) var incident: DemoIncident.Kind?
  /// The start of the incident, in seconds since the start of the demo.
  private var incidentStart = 0.0
  /// The version of the app.
  var version: String { DemoStory.version(at: time) }
  /// Orders waiting to be processed.
  private(set) var waiting = 12.0
  /// True from a suspension until the first record that reports it.
  var isResuming = false
  /// Memory in use, in bytes.
  private(set) var footprint = 182e6
  /// Size of the database, in bytes.
  var databaseSize = 48_300_000
  /// Battery charge, in percent.
  private(set) var charge = 87.0
  /// Consecutive failed requests.
  private(set) var failures = 0
  private(set) var breaker = "closed"

  /// Latency as a multiple of that of other devices.
  let slowness: Double

  init(random: SimulationRandom, slowness: Double) {
    (self.random, self.slowness) = (random, slowness)
  }

  mutating func advance(to moment: Double, incident: DemoIncident?) {
    let elapsed = max(0, moment - time)
    time = moment
    (self.incident, incidentStart) = (incident?.kind, incident?.start ?? 0)
    let target = self.incident == .memoryPressure ? 640e6 : 182e6
    footprint += (target - footprint) * min(1, elapsed * 0.12)
    waiting += ((self.incident == .slowQuery ? 70 : 12) - waiting) * min(1, elapsed * 0.08)
    charge = max(5, charge - elapsed * 0.004)
  }

  /// Records the outcome of a request: three consecutive failures open the breaker, a success closes it.
  mutating func requestEnded(hasFailed: Bool) {
    failures = hasFailed ? failures + 1 : 0
    switch breaker {
    case "closed": breaker = failures >= 3 ? "open" : "closed"
    case "open": breaker = random.chance(0.05) ? "halfOpen" : "open"
    default: breaker = hasFailed ? "open" : "closed"
    }
  }

  /// Network latency as a multiple of the normal one.
  var networkFactor: Double {
    let slower = incident == .latencySpike ? 6.0 : incident == .syncStorm ? 3 : 1
    return slowness * slower * wave(period: 210, depth: 0.25)
  }

  /// True if sign-in is down because orders have been queuing up for too long.
  var isAuthSilent: Bool { incident == .slowQuery && time >= incidentStart + 40 }

  /// Disk latency as a multiple of the normal one.
  var diskFactor: Double { incident == .slowDisk ? 8 : 1 }

  /// A slow oscillation around 1.
  ///
  /// - Parameters:
  ///   - period: Seconds from crest to crest.
  ///   - depth: Amplitude.
  func wave(period: Double, depth: Double) -> Double {
    // A parabola per half period: smooth enough, and identical to the last digit on every platform.
    let phase = (time / period).truncatingRemainder(dividingBy: 1) * 2
    let half = phase.truncatingRemainder(dividingBy: 1)
    let arch = 4 * half * (1 - half)
    return 1 + depth * (phase < 1 ? arch : -arch)
  }
}
