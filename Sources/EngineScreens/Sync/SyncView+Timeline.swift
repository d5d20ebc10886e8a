import Codecs
import DashboardCore
import Sync
import SyncSimulation
package import TerminalUI

// The timeline, newest first: decisions of the machine, including refusals, requests, changes and faults.
extension SyncView {
  package var timelineTrailing: String {
    engine.refusals > 0 ? "\(NumberFormat.count(engine.refusals)) refused" : ""
  }

  package func line(_ happening: EngineHappening<SyncHappening>, isSelected: Bool, width: Int) -> Line {
    let wordings = SyncTimelineFormatter.wordings(happening)
    func line(columns: Bool, numbered: Bool = true, _ words: String) -> Line {
      var line: Line = [Span(isSelected ? signs.selected : " ", theme[.accent])]
      if width >= 60 && numbered { line.append(number(happening.entry).padded(5) + " ", theme[.dim]) }
      line.append("\(zone.time(happening.time, width < 60 ? .seconds : .tenths)) ", theme[.dim])
      let subject = formatter.subject(happening.entry)
      line.append(columns ? subject.padding(to: 23) + " " : subject + " ", subjectStyle(happening.entry))
      if case .decision(let decision) = happening.entry {
        append(decision, to: &line, columns: columns)
      } else {
        line.append(words, theme[role(of: happening)])
      }
      return line
    }
    // A line that would be cut off gets a shorter wording, then gives up its columns, and finally its number.
    let all =
      (width >= 60 ? [true, false] : [false]).flatMap { columns in
        wordings.map { line(columns: columns, $0) }
      } + wordings.map { line(columns: false, numbered: false, $0) }
    return all.first { $0.width() <= width } ?? all[all.count - 1]
  }

  private func number(_ entry: SyncHappening) -> String {
    if case .decision(let decision) = entry { "\(decision.sequence)" } else { "" }
  }

  private func append(_ decision: SyncTransition, to line: inout Line, columns: Bool) {
    let event = "\(decision.byHand ? "you: " : "")\(SyncFormatter.event(decision.event))"
    // A long event shifts the text after it: neither is cut off for the other.
    line.append(
      columns && event.count < 17 ? event.padding(to: 17) : event + " ",
      theme[decision.refused ? .dim : .text])
    line.append((columns ? " " : "") + SyncFormatter.detail(decision), theme[.dim])
  }

  private func subjectStyle(_ entry: SyncHappening) -> Style {
    switch entry {
    case .decision(let decision):
      decision.from == decision.to || decision.refused
        ? theme[.dim] : SyncState.Kind(rawValue: decision.to).map(style) ?? theme[.text]
    case .fault: theme[.warning]
    case .story: theme[.title]
    case .change, .request, .conflict, .constants: theme[.dim]
    }
  }

  /// The role of an entry, depending on its outcome.
  private func role(of happening: EngineHappening<SyncHappening>) -> Role {
    switch happening.entry {
    case .request(let request):
      switch request.outcome {
      case .open: .text
      case .taken: .good
      case .failed: .alert
      }
    case .conflict: .warning
    case .fault(let fault): fault.on ? .warning : .dim
    case .decision, .change, .story, .constants: happening.isFailure ? .alert : .text
    }
  }
}
