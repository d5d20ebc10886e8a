import ClickHouse
import Codecs
import Platform

/// Texts about the server of a shipper.
enum ShipFormatter {
  static func text(
    _ event: Shipper.Event, of address: ServerAddress, now: Timestamp = .now(), in zone: ClockZone = .local
  ) -> String {
    switch event {
    case .failing(let failure, let since):
      "\(address.server) \(failure.sentence) (since \(zone.moment(since, now: now))); "
        + "it is tried again, and the files wait"
    case .recovered(let since):
      "\(address.server) takes samples again, after \(DurationFormat.text(now - since))"
    case .incomplete(let rows, let all):
      "\(address.server) has \(rows) of the \(all) samples of a block: the others were deleted there, and are not sent again"
    }
  }
}
