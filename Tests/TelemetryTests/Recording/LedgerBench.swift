import Foundation
import MisterMetricsCore

@testable import TelemetryCore

/// A ledger with a clock and a zone that a test sets, and a disk that keeps every payload.
final class LedgerBench {
  var ledger = DayLedger()
  var zone: TimeZone
  var version: String? = "1.0"
  /// The payloads that the disk has taken, with their sources.
  private(set) var closed: [(source: String, payload: MetricPayload)] = []
  private(set) var moment = Date(timeIntervalSince1970: 0)

  init(_ zone: String = "Europe/Berlin") {
    self.zone = TimeZone(identifier: zone) ?? .gmt
  }

  /// Sets the clock to what it shows in the zone.
  func set(_ clock: String) {
    if let moment = PayloadTime(clock)?.date(in: zone) { set(moment) }
  }

  /// Sets the clock, and the disk takes nothing.
  func skip(to moment: Date) {
    self.moment = moment
  }

  func set(_ moment: Date) {
    self.moment = moment
    for case .keep(let key, let payload) in ledger.clockShowed(moment, in: zone) {
      closed.append((key.source, payload))
      ledger.payloadKept(key)
    }
  }

  /// Sets the clock and records a launch.
  func launch(_ clock: String, source: PayloadSource = .app) {
    set(clock)
    launch(source: source)
  }

  func launch(source: PayloadSource = .app) {
    _ = record(.duration(.timeToFirstDraw, .milliseconds(412)), source: source)
  }

  func record(_ figure: RecordedFigure, source: PayloadSource = .app) -> Bool {
    var data = PayloadMetaData()
    data.osVersion = "Linux 6.1"
    let origin = FigureOrigin(version: version, data)
    return ledger.recorded(figure, source: source.identifier, at: moment, in: zone, from: origin)
  }

  var kept: [MetricPayload] { closed.map(\.payload) }

  /// The kept payloads: day, count of launches, version, `+` for several.
  var story: [String] {
    kept.map { payload in
      let launches = payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw?.count ?? 0
      let mark = payload.includesMultipleApplicationVersions ? "+" : ""
      return "\(payload.timeStampBegin?.calendarDay ?? "") \(launches) "
        + "\(payload.latestApplicationVersion ?? "unknown")\(mark)"
    }
  }

  /// The process is killed and started again: only what is saved goes on.
  func restart(version: String? = "1.0") throws {
    ledger = try JSONDecoder().decode(DayLedger.self, from: JSONEncoder().encode(ledger))
    self.version = version
  }
}
