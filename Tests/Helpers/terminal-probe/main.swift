// Takes the terminal, draws, and then ends in the way its first argument names: the tests watch it from the other
// side of a pseudo-terminal.
//
//   terminal-probe WAY [guarded FOLDER]     FOLDER takes the reports of crashes
//   terminal-probe strings FILE [raw]       draws the texts of a file, a page for each key
//   terminal-probe session PROGRAM …        runs a program as a shell's foreground job
import CQuietStart
import TerminalNcurses
import TerminalUI

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

refuse_crash_prompt()
let environment = ["TERM", "COLORTERM", "NO_COLOR"].reduce(into: [String: String]()) { result, name in
  if let value = getenv(name) { result[name] = String(cString: value) }
}
let words = Array(CommandLine.arguments.dropFirst())
let way = words.first ?? "wait"

if way == "session" { exit(Session.run(Array(words.dropFirst()))) }
// Before anything of ours is set up.
if way == "at-once" { Death.trap.happen() }
if words.dropFirst().first == "guarded", words.count > 2 {
  TerminalGuard.split(
    .init(program: "terminal-probe", version: "0", folder: words[2], log: words[2] + "/log"))
}
do {
  let terminal = try NcursesTerminal.open(.init(environment: environment))
  draw(terminal, "")
  switch way {
  case "return": terminal.perform(.close)
  case "flood": flood(terminal, frames: .max)
  case "bench": bench(terminal)
  case "colors": drawColors(terminal, frames: 8)
  case "strings": drawStrings(terminal, file: words[1], isRaw: words.contains("raw"))
  case "meet":
    draw(terminal, "met \(meet())")
    loop(terminal)
  case "wait": loop(terminal)
  default:
    if let death = Death(rawValue: way) { death.happen() }
    loop(terminal)
  }
} catch {
  write(STDERR_FILENO, "terminal-probe: \(error.message)\n", error.message.utf8.count + 17)
  exit(2)
}
