package import Foundation

/// One figure beside its bar; smaller is better.
package struct Figure: Encodable, Sendable {
  package let what: String
  package let figure: Double
  private let bar: Double?
  private let unit: String
  private let text: String

  package init(_ what: String, _ figure: Double, bar: Double? = nil, _ unit: String, _ text: String = "") {
    (self.what, self.figure, self.bar, self.unit, self.text) = (what, figure, bar, unit, text)
  }

  /// Prints figures as JSON, for `Tests/Benchmarks/run`.
  package static func print(_ figures: [Figure]) throws {
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(figures))
  }
}

/// Milliseconds that some work takes.
package func milliseconds(_ work: () throws -> Void) rethrows -> Double {
  try ContinuousClock().measure(work) / .milliseconds(1)
}

/// Resident memory of this process in MiB.
package func residentMemory() -> Double {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii) else { return 0 }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
  return pages * 4096 / 1_048_576
}

/// Makes a folder for the files of a benchmark, which removes it at its end.
package func makeFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}

extension [Double] {
  /// The value in the middle.
  package var median: Double { quantile(0.5) }

  /// The value that a part of the others lies below.
  package func quantile(_ part: Double) -> Double {
    isEmpty ? 0 : sorted()[Swift.min(count - 1, Int(Double(count) * part))]
  }
}
