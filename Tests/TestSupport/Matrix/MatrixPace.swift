import Foundation

/// The number of repetitions of the rows in this run.
///
/// `make test` scales down the counts of CI evenly (`MATRIX_SCALE`, at least a tenth); `make soak` uses the counts of a
/// long run (`MATRIX_LONG=1`), each row limited to `MATRIX_SECONDS` once the count of CI is reached.
package struct MatrixPace: Equatable, Sendable {
  /// The fraction of the CI counts, 0.1 to 1.
  package let scale: Double
  package let isLong: Bool
  /// Maximum seconds per row in a long run.
  package let secondsPerRow: Double

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    isLong = environment["MATRIX_LONG"] == "1"
    let asked = environment["MATRIX_SCALE"].flatMap(Double.init) ?? 0.1
    scale = isLong ? 1 : min(max(asked, 0.1), 1)
    secondsPerRow = environment["MATRIX_SECONDS"].flatMap(Double.init) ?? .infinity
  }

  /// The number of repetitions of a row; `nil` for a closed list of cases.
  package func count(of row: MatrixRow) -> Int? {
    if isLong { return row.longRun }
    return row.everyRun.map { Int((Double($0) * scale).rounded(.up)) }
  }

  /// The minimum count after which a long run may stop because of the time.
  package func leastCount(of row: MatrixRow) -> Int? { isLong ? row.everyRun : count(of: row) }
}

/// The number of attempts of a test in every run, or in a long one (`MATRIX_LONG=1`).
package func trials(_ everyRun: Int, long: Int) -> Int { MatrixPace().isLong ? long : everyRun }
