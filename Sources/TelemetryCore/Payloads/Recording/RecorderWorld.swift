import Dispatch
import Essentials

/// The environment of a recorder: clock, time zone and timers.
struct RecorderWorld: Sendable {
  /// Time of a wake-up.
  enum Wake: Hashable, Sendable {
    /// After the maximum time for which figures may stay unsaved.
    case later
    /// Once the wall clock shows this moment, even if it is set meanwhile.
    case at(Date)
  }

  var now: @Sendable () -> Date
  var zone: @Sendable () -> TimeZone
  var wake: @Sendable (Wake, @escaping @Sendable () -> Void) -> Void

  /// The system's environment.
  static let system = timed(delay: 5, now: { Date() }, zone: { .autoupdatingCurrent })

  /// An environment with real timers.
  ///
  /// - Parameters:
  ///   - delay: Seconds for which figures may stay unsaved.
  ///   - now: The wall clock.
  ///   - zone: The time zone.
  static func timed(
    delay: Double, now: @escaping @Sendable () -> Date, zone: @escaping @Sendable () -> TimeZone
  ) -> Self {
    let queue = DispatchQueue.global(qos: .utility)
    return Self(now: now, zone: zone) { wake, work in
      switch wake {
      case .later: queue.asyncAfter(deadline: .now() + delay, execute: work)
      case .at(let moment):
        let seconds = max(0, moment.timeIntervalSince(now()))
        queue.asyncAfter(wallDeadline: .now() + seconds, execute: work)
      }
    }
  }
}
