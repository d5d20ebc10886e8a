import BenchSupport
import Foundation

/// Times the analytics client and prints the figures as JSON for `Tests/Benchmarks/run`.
///
///   delivery-bench calls
///   delivery-bench post URL COUNT [FOLDER]     the bodies are kept in the folder
@main
struct DeliveryBench {
  struct Failure: Error {
    let description: String
  }

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let figures: [Figure]
    switch arguments.first {
    case "calls": figures = try await Calls.measure(folder)
    case "post" where arguments.count >= 3:
      let bodies = arguments.count > 3 ? URL(fileURLWithPath: arguments[3]) : nil
      figures = try await Posts.measure(
        host: arguments[1], count: max(1000, Int(arguments[2]) ?? 0), folder, keeping: bodies)
    default: throw Failure(description: "delivery-bench calls | post URL COUNT [FOLDER]")
    }
    try Figure.print(figures)
  }
}
