import Codecs
import DashboardCore
import Platform
import Sync
import TerminalUI

// Waiting and abandoned changes, and the length of the queue over time if it fits.
extension SyncView {
  /// Minimum height of a chart that shows more than the line above the list.
  private static let chartHeight = 5

  func drawQueue(into buffer: inout Buffer) {
    let oldest =
      engine.waiting.values.min().map {
        "oldest \(DurationFormat.text(max(0, now - $0)))"
      } ?? ""
    drawPanel(
      "Queue \(NumberFormat.count(engine.pending))", trailing: oldest, pane: .queue, in: layout[.queue],
      into: &buffer)
    let area = layout.inner(of: layout[.queue])
    let summary = queueLine(width: area.width)
    guard layout.step <= .stacked else { return write([summary], in: area, into: &buffer) }
    let lines = [summary] + changeLines(width: area.width, room: max(0, area.height - 1))
    write(lines, in: area, into: &buffer)
    drawCourse(in: area.inset(top: lines.count), into: &buffer)
  }

  private func changeLines(width: Int, room: Int) -> [Line] {
    // More changes may wait than the record names.
    let (changes, unnamed) = (screen.changes, max(0, engine.pending - engine.queue.count))
    let rows = changes.count + min(unnamed, 1) > room ? max(0, room - 1) : room
    let selected = state.pane == .queue ? screen.selectedChange : nil
    let first = Table.offset(showing: selected, of: changes.count, height: rows, from: 0)
    let columns = ChangeColumns(engine.queue.prefix(100) + engine.dead.suffix(100), width: width)
    let more = max(0, changes.count - first - rows) + unnamed
    let shown = changes.enumerated().dropFirst(first).prefix(rows)
    // Spare rows let a reason continue on the next row.
    var spare = room - shown.count - (more > 0 ? 1 : 0)
    var lines: [Line] = []
    for (place, change) in shown {
      let row = line(change, columns, isSelected: place == selected)
      let isDead = place >= engine.queue.count
      let fate = isDead ? "dropped: \(change.lastError ?? "no attempt is left")" : fate(change)
      let parts = self.parts(of: fate, behind: row.width(), width: width, most: spare + 1)
      spare -= parts.count - 1
      let style = theme[isDead ? .alert : .text]
      var line = Line(row.spans + [Span(parts[0], style)])
      if parts.count == 1, !isDead { line.spans += ageBar(change, behind: line.width(), width: width) }
      lines.append(line)
      lines += parts.dropFirst().map { Line([Span("    "), Span($0, style)]) }
    }
    if more > 0 { lines.append(Line("\(signs.ellipsis) \(NumberFormat.count(more)) more", theme[.dim])) }
    return lines
  }

  /// The width of the oldest change's bar.
  private static let ageBarWidth = 12

  /// The age relative to the oldest one, at the right edge; empty if it does not fit.
  private func ageBar(_ change: SyncMutation, behind used: Int, width: Int) -> [Span] {
    let begun = engine.begun(change)
    let ages = [begun, engine.waiting.values.min() ?? begun].map { max(0, now - $0) }
    let left = width - Self.ageBarWidth
    guard used + 2 <= left, ages[1] > 0 else { return [] }
    let share = min(1, ages[0] / ages[1])
    let length = max(1, Int((share * Double(Self.ageBarWidth)).rounded()))
    return [
      Span(String(repeating: " ", count: left - used)),
      Span(String(repeating: signs.barFull, count: length), theme.height(share)),
    ]
  }

  /// The number of waiting changes and its history, in the available width.
  func queueLine(width: Int) -> Line {
    let peak = engine.depths.map(\.value).max() ?? 0
    let done = engine.outcomes[.acknowledged] ?? 0
    let dead = engine.outcomes[.dead] ?? 0
    let title = Span("queue \(NumberFormat.count(engine.pending)) ", theme[.text])
    var counts: Line = []
    if dead > 0 { counts.append("  dead \(NumberFormat.count(dead))", theme[.alert]) }
    if engine.conflicts > 0 {
      counts.append("  conflicts \(NumberFormat.count(engine.conflicts))", theme[.warning])
    }
    let most = width < 24 ? "" : " max \(NumberFormat.count(peak)) "
    let past: Line = [Span("\(most) done \(NumberFormat.count(done))", theme[.dim])]
    // The curve is the only part that can shrink.
    let room = width - Line([title]).width() - past.width() - counts.width()
    let depths = engine.depths.suffix(max(0, min(20, room))).map { Optional(Double($0.value)) }
    let curve = Span(Sparkline(depths, theme: theme).text(width: depths.count), theme[.series1])
    return Line([title, curve] + past.spans + counts.spans)
  }

  /// The reason a change waits, or its outcome.
  private func fate(_ mutation: SyncMutation) -> String {
    if mutation.state == .sent, engine.phase == .pushing { return "sent" }
    if let parent = mutation.waitsFor { return "waits for \(parent)" }
    let due = mutation.notBefore.map { Timestamp($0) }.flatMap {
      $0 > now ? "again in \(DurationFormat.text($0 - now)): " : nil
    }
    return mutation.lastError.map { (due ?? "") + $0 } ?? "waits"
  }

  /// Splits a text over the rest of a row and, if it does not fit, over rows of its own, if there are enough.
  private func parts(of text: String, behind used: Int, width: Int, most: Int) -> [String] {
    let first = TextWrap.lines(text, width: width - used).first ?? ""
    let rest = text.dropFirst(first.count).drop { $0 == " " }
    guard !rest.isEmpty, most > 1 else { return [text] }
    let others = TextWrap.lines(String(rest), width: width - 4)
    return others.count < most ? [first] + others : [text]
  }

  private func line(_ mutation: SyncMutation, _ columns: ChangeColumns, isSelected: Bool) -> Line {
    let age = DurationFormat.text(max(0, now - engine.begun(mutation)))
    return [
      Span(isSelected ? signs.selected : state.pane == .queue ? " " : "", theme[.accent]),
      Span(mutation.operation.padding(to: 7), theme[.text]),
      Span(mutation.kind.padding(to: columns.kind), theme[.text]),
      // Long ids differ at the end.
      Span(String(mutation.entity.suffix(columns.entity)).padding(to: columns.entity + 1), theme[.dim]),
      Span("\(ValueUnit.bytes.text(Double(mutation.bytes)))B".padding(to: 6), theme[.dim]),
      Span(age.padding(to: 7), theme[.dim]),
      Span(
        mutation.attempts > 0 ? "\(mutation.attempts) \(mutation.attempts == 1 ? "try" : "tries"), " : "",
        theme[.warning]),
    ]
  }

  /// The length of the queue over the available record, if rows are left for it.
  private func drawCourse(in area: Rect, into buffer: inout Buffer) {
    guard area.height >= Self.chartHeight, let first = engine.depths.first?.time, now > first else { return }
    let peak = max(1, engine.depths.map(\.value).max() ?? 0)
    let gutter = NumberFormat.count(peak).count + 1
    let depths = QueueCourse.columns(
      engine.depths.map { ($0.time, $0.value) }, before: 0, from: first, to: now, reached: now,
      count: max(1, area.width - gutter - 1))
    drawQueueChart(
      [depths], top: Double(peak), gutter: gutter, times: (first, now), in: area.inset(top: 1), into: &buffer)
  }
}

/// The widths of the columns in the list of changes: no wider than the listed changes need.
private struct ChangeColumns {
  let kind: Int
  let entity: Int

  init(_ changes: [SyncMutation], width: Int) {
    kind = min(24, changes.map(\.kind.count).max() ?? 0) + 1
    let longest = min(36, changes.map(\.entity.count).max() ?? 0)
    // The rest of a row needs about 60 cells.
    entity = width >= 60 + kind + longest ? longest : min(5, longest)
  }
}
