import Foundation

/// How often the rows run this time.
///
/// `make test` scales the counts of CI evenly (`MATRIX_SCALE`, never below a tenth); `make soak` takes the counts of a
/// long run (`MATRIX_LONG=1`), each row at most `MATRIX_SECONDS` long once the count of CI is reached.
package struct MatrixPace: Equatable, Sendable {
  /// The share of the counts of CI, 0.1 to 1.
  package let scale: Double
  package let isLong: Bool
  /// How long one row may take in a long run, in seconds.
  package let secondsPerRow: Double

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    isLong = environment["MATRIX_LONG"] == "1"
    let asked = environment["MATRIX_SCALE"].flatMap(Double.init) ?? 0.1
    scale = isLong ? 1 : min(max(asked, 0.1), 1)
    secondsPerRow = environment["MATRIX_SECONDS"].flatMap(Double.init) ?? .infinity
  }

  /// How often the row runs; a closed list of cases has no count of its own.
  package func count(of row: MatrixRow) -> Int? {
    if isLong { return row.longRun }
    return row.everyRun.map { Int((Double($0) * scale).rounded(.up)) }
  }

  /// The least count after which a long run may stop for the time.
  package func leastCount(of row: MatrixRow) -> Int? { isLong ? row.everyRun : count(of: row) }
}

/// How often a test tries something in every run, and how often in a long one (`MATRIX_LONG=1`).
package func trials(_ everyRun: Int, long: Int) -> Int { MatrixPace().isLong ? long : everyRun }
