import Commands
import Foundation

/// The program: reads the command line and hands over to what it asks for.
@main
struct Mistertop {
  static func main() async {
    exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ arguments: [String]) async -> ExitCode {
    let console = Console.standard
    do throws(UsageError) {
      switch try CommandLineParser(surroundings: .ofProcess).parse(arguments) {
      case .text(let text):
        console.write(text)
        return .fine
      case .stats(let stats, let paths): return await stats.run(paths: paths, console: console)
      case .dashboard, .demo, .snapshot, .tail, .record, .optimize, .doctor, .info: return .failed
      }
    } catch {
      console.complain("mistertop: \(error.message); try mistertop --help")
      return .wrongUsage
    }
  }
}
