import Dispatch
import Foundation

/// What a recorder asks of the world: the time, the zone, and to be woken.
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

  /// The seconds that figures may be unsaved.
  static let delay = 5.0

  /// The system's.
  static let system = RecorderWorld(
    now: { Date() }, zone: { .autoupdatingCurrent },
    wake: { wake, work in
      switch wake {
      case .later:
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay, execute: work)
      case .at(let moment):
        let seconds = max(0, moment.timeIntervalSinceNow)
        DispatchQueue.global(qos: .utility).asyncAfter(wallDeadline: .now() + seconds, execute: work)
      }
    })
}
