import Foundation
import TestSupport
import Testing

/// The soak of `make soak`, at a hundredth of its length.
@Suite("A client among faults of every kind")
struct SoakTests {
  @Test("Of ten thousand events each is delivered or counted, in order, within 64 MiB")
  func brief() throws {
    let folder = try TemporaryFolder()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let soak = try ChildProcess(
      "python3", [root.appendingPathComponent("Soak/delivery-faults").path, "10000"],
      environment: ["DELIVERY_SOAK": try ChildProcess.program("delivery-soak"), "MATRIX_LOG": ""],
      output: folder.path("output"))
    let ending = soak.wait()
    let output = try String(contentsOfFile: folder.path("output"), encoding: .utf8)
    #expect(ending == .exited(0), "\(output)")
    #expect(output.contains(" 0 left, 0 unaccounted;"), "\(output)")
  }
}
