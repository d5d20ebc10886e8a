import Codecs
import DashboardCore
import DeliveryCore
import DeliverySimulation
import TerminalUI

// The timeline, the newest first, and all about one entry.
extension DeliveryView {
  func drawTimeline(into buffer: inout Buffer) {
    let failures = engine.timeline.list.count(where: \.isFailure)
    drawPanel(
      timelineTitle,
      trailing: failures > 0
        ? "\(NumberFormat.count(failures)) failed \(failures == 1 ? "batch" : "batches")" : "",
      pane: .timeline, in: layout[.timeline], into: &buffer)
    let area = layout.timelineList
    let lines = timelineLines(in: area) { line($0, isSelected: $1, width: area.width) }
    write(lines, in: area, into: &buffer)
  }

  private func line(_ happening: ClientState.Happening, isSelected: Bool, width: Int) -> Line {
    let isNarrow = width < 60
    let subject = TimelineFormatter.subject(happening.entry)
    var line: Line = [
      Span(isSelected ? signs.selected : " ", theme[.accent]),
      Span("\(zone.time(happening.time, isNarrow ? .seconds : .tenths)) ", theme[.dim]),
    ]
    // Where room is short, the wording of the event already names its subject.
    if width >= 30 { line.append(isNarrow ? subject + " " : subject.padding(to: 12), theme[.text]) }
    let room = width - line.width()
    let wordings = TimelineFormatter.wordings(happening)
    line.append(
      wordings.first { $0.count <= room } ?? wordings[wordings.count - 1], theme[role(of: happening)])
    return line
  }

  /// How well a thing is that happened.
  private func role(of happening: ClientState.Happening) -> Role {
    switch happening.entry {
    case .batch(let batch):
      switch BatchResult(batch) {
      case .delivered: .good
      case .repeated, .halved, .givenUp: .warning
      case .refused, .disabled: .alert
      }
    case .breaker(let breaker): breaker.state == CircuitState.open ? .alert : .text
    case .lifecycle(let lifecycle):
      lifecycle.to == LifecycleMachine.State.disabled.rawValue ? .alert : lifecycle.refused ? .dim : .text
    case .drop: .alert
    case .fault(let fault): fault.on ? .warning : .dim
    case .act, .queue, .simulation, .configuration: .text
    }
  }

  // MARK: All about an entry

  func drawDetail(into buffer: inout Buffer) {
    guard let happening = screen.selectedEntry else { return }
    drawPanel(
      TimelineFormatter.subject(happening.entry), trailing: zone.time(happening.time, .milliseconds),
      pane: .timeline, in: layout[.detail], into: &buffer)
    let area = layout.inner(of: layout[.detail])
    let heading = layout.step > .stacked ? [Line(formatter.text(happening), theme[.title])] : []
    drawFacts(formatter.facts(of: happening), heading: heading, in: area, into: &buffer)
  }
}
