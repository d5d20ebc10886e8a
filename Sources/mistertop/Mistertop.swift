import CQuietStart
import Commands
import Foundation
import TerminalUI

/// The program: passes its arguments to the commands and gives them the terminal.
///
/// On the main actor, and so on the main thread: the thread that owns the terminal must be the one that signals find.
@main
@MainActor
struct Mistertop {
  static func main() async {
    occupy_standard_streams()
    refuse_crash_prompt()
    // The C library tells the width of non-Latin characters only in a UTF-8 locale; the dashboard then adopts the user's.
    TextLocale.adoptUTF8()
    let context = CommandContext(console: .standard, environment: .ofProcess, host: NcursesHost())
    exit(await CommandRunner.run(Array(CommandLine.arguments.dropFirst()), in: context).rawValue)
  }
}
