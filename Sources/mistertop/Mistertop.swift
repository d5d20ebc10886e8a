import CQuietStart
import Commands
import Essentials
import TerminalUI

/// The program: passes its arguments to the commands and gives them the terminal.
///
/// Runs on the main actor, and so on the main thread: the thread that owns the terminal must be the one that receives
/// signals.
@main
@MainActor
struct Mistertop {
  static func main() async {
    occupy_standard_streams()
    refuse_crash_prompt()
    // The C library only knows the width of non-Latin characters in a UTF-8 locale; the dashboard then adopts the
    // user's.
    TextLocale.adoptUTF8()
    let context = CommandContext(console: .standard, environment: .ofProcess, host: NcursesHost())
    exit(await run(in: context).rawValue)
  }

  private static func run(in context: CommandContext) async -> ExitCode {
    var count: Int32 = 0
    let arguments = UnsafeBufferPointer(start: start_arguments(&count), count: Int(count)).dropFirst()
    let words = arguments.map { word in word.map { String(cString: $0) } ?? "" }
    // Invalid UTF-8 would turn into another name, or another value of a record.
    let isText = arguments.map { word in word.map { String(validatingCString: $0) != nil } ?? true }
    if let place = isText.firstIndex(of: false) {
      context.console.writeError("mistertop: argument \(place + 1) is not valid UTF-8: \(words[place])")
      return .wrongUsage
    }
    return await CommandRunner.run(words, in: context)
  }
}
