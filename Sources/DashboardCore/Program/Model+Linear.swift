import Aggregation
import Codecs
import Platform
import TerminalUI

// Unprompted announcements.
extension Model {
  /// Announces news since the last call, one line each; does nothing if there is a screen.
  mutating func announce() -> [Effect] {
    guard var reader = linear else { return [] }
    var lines: [String] = []
    let status = session.feed.status
    if status.problem != reader.problem {
      reader.problem = status.problem
      if let problem = status.problem { lines.append(problem) }
    }
    guard status.isLoaded, status.isCaughtUp else {
      linear = reader
      return lines.map(say)
    }
    lines += opening(&reader) + news(&reader)
    // A change of the difference alone is no news.
    if (session.skewText == nil) != (reader.skew == nil) {
      reader.skew = session.skewText
      if let skew = reader.skew { lines.append(skew) }
    }
    if reader.waitsForNumbers, front.hasNumbers {
      reader.waitsForNumbers = false
      lines.append(spokenDescription)
    }
    let typed = reader.isReady(at: session.now) ? reader.waiting : []
    reader.waiting.removeFirst(typed.count)
    linear = reader
    return lines.map(say) + sayToast() + typed.flatMap { answer($0) }
  }

  /// Executes an input line and reports its result before the next one is handled.
  mutating func answer(_ line: String) -> [Effect] { take(line: line) + sayToast() }

  /// The message that a screen would show, once.
  private mutating func sayToast() -> [Effect] {
    guard let toast = session.toast, toast != linear?.toast else { return [] }
    linear?.toast = toast
    return [say(toast.text)]
  }

  /// The first lines.
  private func opening(_ reader: inout LinearReader) -> [String] {
    guard reader.begunAt == nil else { return [] }
    reader.begunAt = session.now
    let count = session.store.metricCount.metrics
    let metrics = "\(NumberFormat.grouped(count)) \(count == 1 ? "metric" : "metrics")"
    let newest =
      session.newest.map { ", newest sample at \(session.zone.moment($0, now: session.now))" } ?? ""
    let filter = front.filter.flatMap {
      $0.isEmpty ? nil : "Showing only what matches «\($0.text)», as you left it"
    }
    let files = session.operands.isEmpty ? session.files : session.operands
    return ["\(files.joined(separator: " ")): \(metrics)\(newest)"] + [filter].compactMap(\.self)
      + menuLines(.main)
  }

  /// Events not yet announced; of those before the opening, only the worst.
  private func news(_ reader: inout LinearReader) -> [String] {
    let events = session.alerts.events
    var lines: [String] = []
    if !reader.knowsIncidents {
      guard session.knowsIncidents, session.alerts.isOfWhole || session.store.count == 0 else { return [] }
      reader.knowsIncidents = true
      let begin = reader.begunAt ?? session.now
      reader.told.formUnion(events.lazy.filter { $0.time < begin }.map(\.id))
      lines.append(AlertSentence(session: session).spoken)
    }
    let new = events.filter { !reader.told.contains($0.id) }
    reader.told.formUnion(new.map(\.id))
    let told = new.prefix(LinearReader.burst).reversed().map(sentence)
    let others = new.count - told.count
    return lines + told + (others > 0 ? ["and \(others) more changes"] : [])
  }

  func sentence(_ event: ChangeEvent) -> String {
    "\(session.zone.moment(event.time, now: session.now)) \(event.subject) \(event.note)\(event.text)"
  }

  /// One line of output.
  func say(_ text: String) -> Effect {
    .say(SafeText.sanitized(SpokenText.words(of: text), repertoire: session.theme.capabilities.repertoire))
  }
}
