import Aggregation
import Platform
package import TerminalUI

// The rail: the whole input as a strip.
extension ScreenView {
  package func drawRail(into buffer: inout Buffer) {
    Panel(look: .pane, theme: theme).render(in: frame.rule, into: &buffer)
    let (area, rail) = (frame.rail, session.rail)
    guard !rail.counts.isEmpty, rail.last > rail.first else { return }
    let (start, end) = (session.railStart(rail.first), session.railEnd)
    buffer.write(start, at: area.origin, style: theme[.dim])
    buffer.write(end, endingAt: area.maxX, y: area.y, style: theme[.dim])
    let strip = frame.railStrip(startWidth: start.count, endWidth: end.count)
    guard strip.width >= 4 else { return }
    let text = Sparkline(
      rail.counts.map { $0 > 0 ? $0 : nil }, range: 0...max(1, 1.3 * (rail.counts.max() ?? 1)), theme: theme
    ).text(width: strip.width)
    buffer.write(text, at: strip.origin, style: theme[.rail])
    for event in session.alerts.events where event.kind.isOtherAlert {
      sign("!", at: event.time, theme[.alert], rail, strip, &buffer)
    }
    for annotation in session.annotations(from: rail.first, to: rail.last) {
      sign(theme.signs.release, at: annotation.time, theme[.marker], rail, strip, &buffer)
    }
    for found in railSigns { sign(found.text, at: found.time, found.style, rail, strip, &buffer) }
    let wrong = Set(session.incidents.groups.lazy.compactMap { rail.column(of: Timestamp($0.peakTime)) })
    var marked: Set<Int> = []
    for (letter, mark) in session.notes.marks {
      guard let column = rail.column(of: mark.time) else { continue }
      marked.insert(column)
      // A mark at an incident has the color of an alert.
      let style = theme[wrong.contains(column) ? .alert : .marker]
      sign(String(letter), at: mark.time, style, rail, strip, &buffer)
    }
    drawWindow(rail, in: strip, into: &buffer)
    // After a jump to an incident, it coincides with an end of the window: its sign is more important than the bracket.
    for column in wrong.subtracting(marked) {
      buffer.write("!", at: Position(x: strip.x + column, y: strip.y), style: theme[.alert])
    }
  }

  private func sign(
    _ text: String, at time: Timestamp, _ style: Style, _ rail: Rail, _ strip: Rect,
    _ buffer: inout Buffer
  ) {
    guard let column = rail.column(of: time), time >= rail.first, time <= rail.last else { return }
    buffer.write(text, at: Position(x: strip.x + column, y: strip.y), style: style)
  }

  /// Draws the brackets around the window's time range.
  private func drawWindow(_ rail: Rail, in strip: Rect, into buffer: inout Buffer) {
    let window = screen.railWindow
    guard let right = rail.column(of: window.upperBound),
      let left = rail.column(of: max(rail.first, window.lowerBound))
    else { return }
    let style = theme[.railWindow]
    let first = min(left, max(0, right - 1))
    buffer.restyle(Rect(x: strip.x + first, y: strip.y, width: right - first + 1, height: 1)) { old in
      old == theme[.alert] ? old : style
    }
    buffer.write("[", at: Position(x: strip.x + first, y: strip.y), style: style)
    buffer.write("]", at: Position(x: strip.x + right, y: strip.y), style: style)
  }
}
