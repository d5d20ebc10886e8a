import Dispatch
import Essentials

/// The recorder's needs from the world: the time, the zone, and to be woken.
struct RecorderWorld: Sendable {
  /// When to wake.
  enum Wake: Hashable, Sendable {
    /// After the time that figures may be unsaved.
    case later
    /// When the clock on the wall shows this moment, whatever it is set to meanwhile.
    case at(Date)
  }

  var now: @Sendable () -> Date
  var zone: @Sendable () -> TimeZone
  var wake: @Sendable (Wake, @escaping @Sendable () -> Void) -> Void

  /// The system's.
  static let system = timed(delay: 5, now: { Date() }, zone: { .autoupdatingCurrent })

  /// One whose timers are real.
  ///
  /// - Parameters:
  ///   - delay: The seconds that figures may be unsaved.
  ///   - now: The clock on the wall.
  ///   - zone: Where it hangs.
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
