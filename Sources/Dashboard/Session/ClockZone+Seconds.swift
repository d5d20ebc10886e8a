import Codecs
import Platform

// For callers whose moments are still bare numbers.
extension ClockZone {
  func time(_ time: Double, _ precision: Precision = .seconds) -> String {
    self.time(Timestamp(time), precision)
  }

  func date(_ time: Double) -> String { date(Timestamp(time)) }

  func moment(_ time: Double, now: Double, _ precision: Precision = .seconds) -> String {
    moment(Timestamp(time), now: Timestamp(now), precision)
  }

  func exactMoment(_ time: Double, now: Double, _ precision: Precision) -> String {
    exactMoment(Timestamp(time), now: Timestamp(now), precision)
  }
}
