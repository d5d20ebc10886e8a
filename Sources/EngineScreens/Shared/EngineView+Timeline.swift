import Codecs
import DashboardCore
import TerminalUI

// The common appearance of all engine timelines.
extension EngineView {
  /// `Timeline 214  / 503  12 of 214`, with the number of listed entries if there is a filter.
  var timelineTitle: String {
    let found =
      state.filter.isEmpty
      ? ""
      : "  / \(state.filter)  \(NumberFormat.count(state.entries.count)) of \(NumberFormat.count(engine.timeline.list.count))"
    return "Timeline \(NumberFormat.count(engine.timeline.count))\(found)"
  }

  func drawTimeline(into buffer: inout Buffer) {
    drawPanel(
      timelineTitle, trailing: timelineTrailing, pane: .timeline, in: layout[.timeline], into: &buffer)
    write(timelineLines(in: layout.timelineList), in: layout.timelineList, into: &buffer)
  }

  /// The listed entries, newest first, from the scroll position; without any, the reason.
  func timelineLines(in area: Rect) -> [Line] {
    let entries = state.entries
    guard !entries.isEmpty else {
      let words = state.filter.isEmpty ? "nothing has happened yet" : "nothing matches \"\(state.filter)\""
      return [Line(words, theme[.dim])]
    }
    let selected = screen.selectedPlace
    return entries.indices.reversed().dropFirst(screen.timelineOffset(height: area.height)).prefix(
      area.height
    )
    .map { line(entries[$0], isSelected: $0 == selected, width: area.width) }
  }

  var formatter: Owner.Engine.Entry.Formatter { .init(zone: zone, arrow: signs.arrow) }

  func drawDetail(into buffer: inout Buffer) {
    guard let happening = screen.selectedEntry else { return }
    drawPanel(
      formatter.subject(happening.entry), trailing: zone.time(happening.time, .milliseconds),
      pane: .timeline, in: layout[.detail], into: &buffer)
    let heading = layout.step > .stacked ? [Line(formatter.text(happening), theme[.title])] : []
    drawFacts(
      formatter.facts(of: happening), heading: heading, in: layout.inner(of: layout[.detail]), into: &buffer)
  }

  /// The details of an entry, one fact per line, in two columns if they are too high for the area.
  private func drawFacts(_ facts: [EngineFact], heading: [Line], in area: Rect, into buffer: inout Buffer) {
    write(heading, in: area, into: &buffer)
    let body = area.inset(top: min(area.height, heading.count))
    let single = lines(of: facts, width: body.width)
    guard single.count > body.height, body.width >= 100 else { return write(single, in: body, into: &buffer) }
    let halves = body.columns([.fill(1), .fill(1)], spacing: 2)
    // The first column takes as many whole facts as fit.
    var taken = facts.count
    while taken > 1, lines(of: Array(facts.prefix(taken)), width: halves[0].width).count > body.height {
      taken -= 1
    }
    write(lines(of: Array(facts.prefix(taken)), width: halves[0].width), in: halves[0], into: &buffer)
    write(lines(of: Array(facts.dropFirst(taken)), width: halves[1].width), in: halves[1], into: &buffer)
  }

  private func lines(of facts: [EngineFact], width: Int) -> [Line] {
    let gutter = min(11, max(0, width / 3))
    return facts.flatMap { fact in
      TextWrap.lines(fact.value, width: max(1, width - gutter)).enumerated().map { index, text in
        [Span((index == 0 ? fact.name : "").padding(to: gutter), theme[.dim]), Span(text, theme[.value])]
      }
    }
  }
}
