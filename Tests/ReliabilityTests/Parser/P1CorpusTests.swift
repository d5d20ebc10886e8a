import Foundation
import FuzzChecks
import Testing

/// The corpus of fuzzing and its findings; `Tests/Fuzz/run` gives row P1.
@Suite("The corpus of the fuzzers")
struct CorpusTests {
  static let folder = FaultMatrix.folder.deletingLastPathComponent().appendingPathComponent("Fuzz/corpus")

  @Test(arguments: FuzzCheck.allCases)
  func `Every kept input passes its check`(_ check: FuzzCheck) throws {
    let folder = Self.folder.appendingPathComponent(check.rawValue)
    let inputs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(!inputs.isEmpty)
    for input in inputs {
      let complaint = try Data(contentsOf: input).withUnsafeBytes { check.complaint(about: $0) }
      #expect(complaint == nil, "\(input.lastPathComponent)")
    }
  }
}
