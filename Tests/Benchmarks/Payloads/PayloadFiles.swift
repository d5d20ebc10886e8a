import Foundation
import Telemetry
import TestSupport

/// Writes the payloads of a fleet of devices for `Tests/Benchmarks/run`, the same ones for the same seed.
///
/// `payload-files FOLDER COUNT` writes so many files of 4 to 10 kB, a diagnostic in twenty of them; `payload-files FILE
/// BYTES --diagnostic` writes one diagnostic of so many bytes.
@main
struct PayloadFiles {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2, let count = Int(arguments[1]) else {
      FileHandle.standardError.write(
        Data("usage: payload-files FOLDER COUNT | FILE BYTES --diagnostic\n".utf8))
      exit(2)
    }
    let target = URL(fileURLWithPath: arguments[0])
    if arguments.contains("--diagnostic") {
      var devices = DeviceDays(seed: 1)
      try devices.diagnostic(bytes: count).jsonRepresentation().write(to: target)
    } else {
      try write(count, to: target)
    }
  }

  private static func write(_ count: Int, to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var devices = DeviceDays(seed: 1)
    for index in 0..<count {
      let isDiagnostic = index % 20 == 19
      let data =
        isDiagnostic
        ? devices.diagnostic(bytes: 8_000).jsonRepresentation()
        : devices.payload(day: index / 50).jsonRepresentation()
      let kind = isDiagnostic ? "diagnostic" : "metric"
      try data.write(to: folder.appendingPathComponent("\(kind)-\(String(format: "%06d", index)).json"))
    }
  }
}
