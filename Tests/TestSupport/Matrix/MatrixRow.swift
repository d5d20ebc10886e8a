package import Foundation

/// One row of the fault matrix: what is tried, and how often.
package struct MatrixRow: Hashable, Sendable {
  /// Its name in the specification, such as `W1`.
  package let id: String
  /// The fault in words.
  package let fault: String
  /// The counted events.
  package let unit: String
  /// How often in every run of CI, before scaling; `nil` stands for a closed list of cases.
  package let everyRun: Int?
  /// How often in a long run.
  package let longRun: Int?

  /// Reads one line of `rows.tsv`; `nil` for a comment.
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

/// The whole matrix, as the files kept with the tests have it.
package struct Matrix: Sendable {
  package let rows: [MatrixRow]
  /// The rows that a machine without rights or tools may leave out.
  package let allowedSkips: Set<String>

  /// Reads `rows.tsv` and `allowed-skips` from the folder of the tests.
  ///
  /// - Throws: what reading the files throws.
  package init(folder: URL) throws {
    rows = try String(contentsOf: folder.appendingPathComponent("rows.tsv"), encoding: .utf8)
      .split(separator: "\n").compactMap(MatrixRow.init(line:))
    allowedSkips = Set(
      try String(contentsOf: folder.appendingPathComponent("allowed-skips"), encoding: .utf8)
        .split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init))
  }

  package subscript(id: String) -> MatrixRow? { rows.first { $0.id == id } }
}
