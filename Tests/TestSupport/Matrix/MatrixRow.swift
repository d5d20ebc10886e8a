package import Foundation

/// One row of the fault matrix: the fault and the number of repetitions.
package struct MatrixRow: Hashable, Sendable {
  /// The id in the specification, such as `W1`.
  package let id: String
  /// A description of the fault.
  package let fault: String
  /// The unit of the counts.
  package let unit: String
  /// Repetitions in every run of CI, before scaling; `nil` for a closed list of cases.
  package let everyRun: Int?
  /// Repetitions in a long run.
  package let longRun: Int?

  /// Parses one line of `rows.tsv`; `nil` for a comment.
  package init?(line: Substring) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard !line.hasPrefix("#"), fields.count == 6 else { return nil }
    id = fields[0]
    fault = fields[1]
    unit = fields[2]
    everyRun = Int(fields[3])
    longRun = Int(fields[4])
  }
}

/// The whole matrix, as defined in the files beside the tests.
package struct Matrix: Sendable {
  package let rows: [MatrixRow]
  /// The rows that may be skipped on a machine without the necessary rights or tools.
  package let allowedSkips: Set<String>

  /// Reads `rows.tsv` and `allowed-skips` from the folder of the tests.
  ///
  /// - Throws: Errors of reading the files.
  package init(folder: URL) throws {
    rows = try String(contentsOf: folder.appendingPathComponent("rows.tsv"), encoding: .utf8)
      .split(separator: "\n").compactMap(MatrixRow.init(line:))
    allowedSkips = Set(
      try String(contentsOf: folder.appendingPathComponent("allowed-skips"), encoding: .utf8)
        .split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init))
  }

  package subscript(id: String) -> MatrixRow? { rows.first { $0.id == id } }
}
