import Foundation
import TestSupport

/// Runs programs and takes what they print.
enum Shell {
  /// The program under test: beside the test bundle, where the package manager puts both.
  static var program: String {
    get throws { try ChildProcess.program("mistertop") }
  }

  /// Runs a program to its end.
  static func run(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:], input: String = ""
  ) throws -> (status: Int32, output: String) {
    let folder = try TemporaryFolder()
    let child = try ChildProcess(
      executable, arguments, environment: environment, input: .file(try folder.write(input, to: "in")),
      output: folder.path("out"))
    let ending = child.wait()
    let output = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path("out"))), as: UTF8.self)
    switch ending {
    case .exited(let status): return (status, output)
    case .killed(let signal): return (128 + signal, output)
    }
  }

  /// Runs mistertop without a terminal.
  static func mistertop(
    _ arguments: String..., environment: [String: String] = [:], input: String = ""
  ) throws -> (status: Int32, output: String) {
    try run(
      program, arguments,
      environment: ["LC_ALL": "C.UTF-8", "MISTERTOP_STORE": "/nonexistent/metrics.jsonl"].merging(environment)
      { $1 },
      input: input)
  }
}
