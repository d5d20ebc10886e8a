import Aggregation
import Codecs
import Platform
import TerminalUI

extension Model {
  /// Maximum metrics in a receipt.
  private static let receiptRows = 3

  /// Text left on the normal screen after `q`: a summary with the worst events; safe to print, empty after `Q`.
  package var receipt: [String] {
    guard wantsReceipt, session.store.recorded > 0 else { return [] }
    var lines = [receiptTitle]
    let worst = receiptEvents
    let width = worst.reduce(0) { max($0, $1.subject.count) }
    lines += worst.map { event in
      let space = String(repeating: " ", count: max(0, min(width, 40) - event.subject.count))
      let sign = event.kind.line(session.theme).text
      return "  \(sign) \(event.subject)\(space)  \(event.text)"
    }
    if worst.isEmpty { lines.append("  Nothing over a limit, above its usual, or silent") }
    // Names come from files: they are sanitized like everything on the screen.
    let spoken = linear == nil ? lines : lines.map(SpokenText.words)
    return spoken.map { SafeText.sanitized($0, repertoire: session.theme.capabilities.repertoire) }
  }

  /// The first line, for instance `app.jsonl +2: 17 metrics, 12345 values up to 14:32:07, 3 lines rejected`.
  private var receiptTitle: String {
    let sources = session.shown.status.sources
    let name = sources.first.map(session.fileNames.short) ?? "input"
    let more = sources.count > 1 ? " +\(sources.count - 1)" : ""
    let newest = session.newest ?? session.present
    let moment = session.zone.moment(min(newest, session.clock), now: session.now)
    let inPart = session.shown.status.inPart
    let rejected = session.shown.status.rejected - inPart
    let lost = rejected == 0 ? "" : rejected == 1 ? ", 1 line rejected" : ", \(rejected) lines rejected"
    let bad =
      lost + (inPart == 0 ? "" : inPart == 1 ? ", 1 line read in part" : ", \(inPart) lines read in part")
    let store = session.feed.store
    let (count, hasFields) = store.metricCount
    let metrics = count == 1 ? "1 metric" : "\(count) metrics"
    // Each field of a struct is recorded separately.
    let values = (hasFields ? "value" : "sample") + (store.recorded == 1 ? "" : "s")
    return "\(name)\(more): \(metrics), \(store.recorded) \(values) up to \(moment)\(bad)"
  }

  /// One event for each series with a sign: the worst ones first, the newest of each.
  private var receiptEvents: [ChangeEvent] {
    let signed = session.alerts.events.compactMap { event in event.kind.sign.map { (event, $0) } }
    let ranked = signed.enumerated().sorted { left, right in
      (left.element.1, left.offset) < (right.element.1, right.offset)
    }
    var seen: Set<SeriesIdentity?> = []
    return Array(ranked.map(\.element.0).filter { seen.insert($0.series).inserted }.prefix(Self.receiptRows))
  }
}
