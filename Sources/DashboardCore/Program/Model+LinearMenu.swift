import Aggregation
import Codecs
import Platform
import TerminalUI

// Handling of typed input without a screen.
extension Model {
  /// Executes an input line.
  mutating func take(line: String) -> [Effect] {
    guard linear?.isReady(at: session.now) ?? false else {
      linear?.waiting.append(line)
      return []
    }
    let line = line.trimmed
    switch line.first {
    case nil: return menuLines(linear?.menu ?? .main).map(say)
    case "/": return filtered(String(line.dropFirst()))
    case ":": return runCommandLine(String(line.dropFirst())) + closed()
    default: break
    }
    if let number = Int(line) { return choose(number) }
    switch line {
    case "D", "d": return [say(spokenDescription)]
    case "?", "h", "help": return show(.main)
    case "q", "quit", "b", "back": return back(isQuit: line.hasPrefix("q"))
    case "Q":
      wantsReceipt = true
      return [.quit]
    case "m", "more": return more()
    default:
      return [
        say(
          "«\(line)» is not in the list. Type a number from it, D to describe, / to filter, : for a command, q to go back"
        )
      ]
    }
  }

  /// A failed command stays open on a screen; here only its message is kept.
  private mutating func closed() -> [Effect] {
    if case .description(let text) = session.overlay {
      session.overlay = nil
      return [say(text)]
    }
    session.overlay = nil
    return []
  }

  private mutating func back(isQuit: Bool) -> [Effect] {
    if case .main = linear?.menu ?? .main, isQuit {
      wantsReceipt = true
      return [.quit]
    }
    return show(place: 0) + show(.main)
  }

  private mutating func show(_ menu: LinearMenu) -> [Effect] {
    linear?.menu = menu
    return menuLines(menu).map(say)
  }

  private mutating func more() -> [Effect] {
    guard case .metrics(let all, let from)? = linear?.menu, from + LinearReader.page < all.count else {
      return [say("End of the list")]
    }
    return show(.metrics(all, from: from + LinearReader.page))
  }

  private mutating func filtered(_ text: String) -> [Effect] {
    let effects = show(place: 0) + tell(.edited(.filter, text)) + tell(.submitted(.filter, text)) + refresh()
    return effects + show(metrics)
  }

  /// The metrics that the filter matches, in list order.
  private var metrics: LinearMenu {
    .metrics(front.listedMetrics, from: 0)
  }

  // MARK: Numbers

  private mutating func choose(_ number: Int) -> [Effect] {
    switch linear?.menu ?? .main {
    case .main: return chooseMain(number)
    case .metrics(let all, _):
      guard number > 0, number <= all.count else { return number == 0 ? show(.main) : [noSuch(number)] }
      return open(metric: all[number - 1])
    case .events(let events):
      guard number > 0, number <= events.count else { return number == 0 ? show(.main) : [noSuch(number)] }
      return open(event: events[number - 1])
    case .metric(let identity): return chooseOfMetric(number, identity)
    }
  }

  private func noSuch(_ number: Int) -> Effect {
    say("There is no number \(number) in the list; Enter reads it again")
  }

  private mutating func chooseMain(_ number: Int) -> [Effect] {
    switch number {
    case 0:
      wantsReceipt = true
      return [.quit]
    case 1:
      let wrong = session.alerts.events.filter { $0.isWrong(by: .distantFuture) }.prefix(LinearReader.page)
      return wrong.isEmpty ? [say(AlertSentence(session: session).spoken)] : show(.events(Array(wrong)))
    case 2: return show(place: 0) + show(metrics)
    case 3: return describe("sync")
    case 4: return describe("delivery")
    case 5: return compare()
    case 6:
      let all = session.rejections
      guard !all.isEmpty else { return [say("No line was rejected")] }
      return all.suffix(LinearReader.page).map { say("\($0.place(session.fileNames)): \($0.reason)") }
    default: return [noSuch(number)]
    }
  }

  private mutating func describe(_ screen: String) -> [Effect] {
    let effects = show(screen) + refresh()
    let text = spokenDescription
    return effects + [say(text)] + show(place: 0)
  }

  private mutating func compare() -> [Effect] {
    linear?.waitsForNumbers = true
    return show("histogram") + [say("Reading the samples; a sentence follows")]
  }

  private mutating func open(metric identity: SeriesIdentity) -> [Effect] {
    session.subject = identity
    var effects = show(place: 0) + tell(.appeared(subjects: [identity]))
    effects += tell(.focusDetails) + refresh()
    return effects + [say(spokenDescription)] + show(.metric(identity))
  }

  private mutating func open(event: ChangeEvent) -> [Effect] {
    if let peak = event.peak { session.movePlayhead(to: peak) }
    var effects = tellAll { .wentToAlert(event, isShown: $0) }
    session.alertSelection = event.id
    effects += tell(.focusDetails) + refresh()
    return effects + [say(sentence(event)), say(spokenDescription)]
  }

  private mutating func chooseOfMetric(_ number: Int, _ identity: SeriesIdentity) -> [Effect] {
    switch number {
    case 0: return show(metrics)
    case 1: return [say(spokenDescription)]
    case 2:
      let samples = session.samples(of: identity).prefix(LinearReader.page)
      return samples.isEmpty
        ? [say("No sample in the window")]
        : samples.map { say("\(session.zone.time($0.moment, .milliseconds)) \($0.value.words)") }
    case 3: return compare()
    default: return [noSuch(number)]
    }
  }

  // MARK: Lists

  /// The lines of a menu, as read out.
  func menuLines(_ menu: LinearMenu) -> [String] {
    switch menu {
    case .main:
      return LinearMenu.choices.enumerated().map { "\($0 + 1) \($1)" }
        + ["0 quit; D describes, / and words filter, : and a command runs it, Enter reads this again"]
    case .metrics(let all, let from):
      guard !all.isEmpty else { return ["No metric matches"] }
      let shown = all.enumerated().dropFirst(from).prefix(LinearReader.page)
      let more = all.count - from - shown.count
      return shown.map { "\($0 + 1) \(front.figures(of: $1) ?? $1.fullName)" }
        + [more > 0 ? "0 back, m for \(more) more" : "0 back"]
    case .metric: return ["1 describe again, 2 newest samples, 3 compare, 0 back"]
    case .events(let events): return events.enumerated().map { "\($0 + 1) \(sentence($1))" } + ["0 back"]
    }
  }
}
