import Codecs
import DashboardCore
import DeliveryCore
import DeliverySimulation
package import TerminalUI

// The rows of the timeline.
extension DeliveryView {
  package var timelineTrailing: String {
    let failures = engine.timeline.list.count(where: \.isFailure)
    return failures > 0 ? "\(NumberFormat.count(failures)) failed \(failures == 1 ? "batch" : "batches")" : ""
  }

  package func line(_ happening: ClientState.Happening, isSelected: Bool, width: Int) -> Line {
    let isNarrow = width < 60
    let subject = formatter.subject(happening.entry)
    var line: Line = [
      Span(isSelected ? signs.selected : " ", theme[.accent]),
      Span("\(zone.time(happening.time, isNarrow ? .seconds : .tenths)) ", theme[.dim]),
    ]
    // Where room is short, the wording of the event already names its subject.
    if width >= 30 { line.append(isNarrow ? subject + " " : subject.padding(to: 12), theme[.text]) }
    let room = width - line.width()
    let wordings = DeliveryTimelineFormatter.wordings(happening)
    line.append(
      wordings.first { $0.count <= room } ?? wordings[wordings.count - 1], theme[role(of: happening)])
    return line
  }

  /// The role of an entry, depending on its outcome.
  private func role(of happening: ClientState.Happening) -> Role {
    switch happening.entry {
    case .batch(let batch):
      switch BatchResult(batch) {
      case .delivered: .good
      case .repeated, .halved, .givenUp: .warning
      case .refused, .disabled: .alert
      }
    case .breaker(let breaker): breaker.isOpen ? .alert : .text
    case .lifecycle(let lifecycle):
      lifecycle.to == LifecycleMachine.State.disabled.rawValue ? .alert : lifecycle.refused ? .dim : .text
    case .drop: .alert
    case .fault(let fault): fault.on ? .warning : .dim
    case .act, .queue, .simulation, .configuration: .text
    }
  }
}
