import DashboardCore
import Essentials
import Platform
import TerminalUI

/// The terminal as the dashboard would see it: its type, its size, its colors, and its answers.
enum TerminalReport {
  typealias Row = (name: String, value: String)

  /// Seconds for the answers of a terminal, and for those that follow the first one.
  private static let (wait, rest) = (1.0, 0.2)

  /// Takes over the terminal for a moment, if there is one.
  @MainActor static func rows(in context: CommandContext) -> [Row] {
    let variables = context.environment.variables
    let type = variables["TERM"] ?? "TERM is not set"
    guard context.console.isTerminal else {
      return [("terminal", "\(type); standard output is not a terminal"), ("locale", locale(variables))]
    }
    context.startGuard()
    var notes: [String] = []
    do throws(TerminalUnavailable) {
      let terminal = try context.host.openTerminal(environment: variables) { notes.append($0) }
      let events = answers(of: terminal.backend)
      let (size, capabilities) = (terminal.backend.size, terminal.capabilities)
      terminal.backend.perform(.close)
      return [
        ("terminal", ([type] + notes).joined(separator: "; ")), ("size", "\(size.width)x\(size.height)"),
        ("colors", "\(capabilities.depth.name); signs: \(capabilities.glyphs.rawValue)"),
        ("answered", events.compactMap(text).joined(separator: ", ")), ("locale", locale(variables)),
      ].map { ($0, $1.isEmpty ? "nothing" : $1) }
    } catch {
      return [("terminal", "\(type): \(error.message)"), ("locale", locale(variables))]
    }
  }

  private static func answers(of backend: any TerminalBackend) -> [InputEvent] {
    var events: [InputEvent] = []
    backend.perform(.ask([.background, .colors, .signs]))
    var end = MonotonicInstant.now() + wait
    while MonotonicInstant.now() < end {
      let new = backend.readEvents(now: MonotonicInstant.now().seconds).events
      if !new.compactMap(text).isEmpty { end = min(end, MonotonicInstant.now() + rest) }
      events += new
      var ready = backend.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = poll(&ready, nfds_t(ready.count), 20)
      if events.contains(.hangup) { break }
    }
    return events
  }

  private static func text(_ event: InputEvent) -> String? {
    switch event {
    case .background(let color): "background \(color.hex)"
    case .trueColor: "24bit colors"
    case .unevenSigns: "signs that are not one column wide"
    case .key, .paste, .mouse, .resize, .focus, .resumed, .hangup: nil
    }
  }

  /// The locale of characters as the variables name it, and its character set.
  private static func locale(_ variables: [String: String]) -> String {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? "C"
    guard let locale = newlocale(Int32(1 << LC_CTYPE), name, nil) else { return "\(name) (not installed)" }
    defer { freelocale(locale) }
    return "\(name) (\(nl_langinfo_l(nl_item(CODESET), locale).map { String(cString: $0) } ?? "?"))"
  }
}
