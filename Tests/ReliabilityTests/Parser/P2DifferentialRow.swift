import FuzzChecks
import TestSupport
import Testing

extension FaultMatrix {
  /// Listed exceptions: Foundation takes bytes that are no UTF-8 in places where it does not look closely, UTF-16, byte
  /// order marks and a last comma inside a value, anything below a repeated key, and padding of Base64 where none belongs;
  /// it refuses numbers too small for a double.
  @Test func `P2: the decoders read what Foundation's decoder reads`() async throws {
    try await Self.row("P2") { run in
      let batch = 500
      while run.goesOn(by: batch) {
        var maker = LineMaker(seed: run.seed)
        for _ in 0..<batch {
          let line = maker.next()
          run.tally.expected += 1
          let complaint = line.withUnsafeBytes { FuzzCheck.decoders.complaint(about: $0) }
          guard let complaint else {
            run.tally.got += 1
            continue
          }
          run.tally.bad += 1
          if run.tally.bad <= 3 { Issue.record("\(String(decoding: line, as: UTF8.self)): \(complaint)") }
        }
      }
      run.note =
        "exceptions: no UTF-8, UTF-16, byte order mark, last comma, repeated key, stray padding of Base64, 1e-400 is 0"
    }
  }
}
