package import Foundation

/// One run of one row: controls the repetitions, collects the results, and prints the machine-readable line.
///
/// ```swift
/// var run = try MatrixRun("T5", folder: testsFolder)
/// while run.goesOn() {
///   run.tally.expected += 1
///   …
/// }
/// #expect(run.finish() == .green)
/// ```
package struct MatrixRun: Sendable {
  /// The expected and the actual result.
  package struct Tally: Equatable, Sendable {
    package var expected = 0
    package var got = 0
    package var lost = 0
    package var duplicated = 0
    /// Any other violation of the row's promise: a cut line, a leaked byte, a mode not restored.
    package var bad = 0

    package init() {}
  }

  package enum Result: String, Sendable {
    case green, red
  }

  package let row: MatrixRow
  package let pace: MatrixPace
  package var tally = Tally()
  /// A note for the table: a scale, the worst time, an exception named in the specification.
  package var note = ""
  /// The number of repetitions so far.
  package private(set) var done = 0

  private let started = ContinuousClock.now

  /// - Throws: ``MatrixError`` if `rows.tsv` does not contain the row.
  package init(_ id: String, folder: URL, pace: MatrixPace = MatrixPace()) throws {
    guard let row = try Matrix(folder: folder)[id] else { throw MatrixError.unknownRow(id) }
    self.row = row
    self.pace = pace
  }

  /// The number of repetitions in this run; 1 for a closed list of cases.
  package var count: Int { pace.count(of: row) ?? 1 }

  /// The seed of the current round: fixed for each row and round, so that a failure can be reproduced.
  package var seed: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in row.id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash &+ UInt64(done)
  }

  /// The folder with `rows.tsv` and `allowed-skips`.
  package static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("ReliabilityTests")

  /// Runs a row and returns its result, which must be green.
  package static func result(
    of id: String, _ body: (inout MatrixRun) async throws -> Void
  ) async throws -> Result {
    var run = try MatrixRun(id, folder: folder)
    try await body(&run)
    return run.finish()
  }

  /// Runs a row with a protection removed and returns its result, which must be red.
  package static func result(
    of id: String, without removed: String, _ body: (inout MatrixRun) async throws -> Void
  ) async throws -> Result {
    var run = try MatrixRun(id, folder: folder)
    try await body(&run)
    return run.finishControl(without: removed)
  }

  private var seconds: Double { started.duration(to: .now) / .seconds(1) }

  /// True if another round is due, which is then counted.
  ///
  /// - Parameter stride: The number of units that a round counts for.
  package mutating func goesOn(by stride: Int = 1) -> Bool {
    guard done < count else { return false }
    if done >= pace.leastCount(of: row) ?? 1, seconds > pace.secondsPerRow { return false }
    done += stride
    return true
  }

  /// Counts rounds that the row ran by itself (a closed list, a helper program that loops).
  package mutating func add(rounds: Int) { done += rounds }

  /// Green if something was expected, and nothing is lost, duplicated or bad.
  package func result(isGreen: Bool = true) -> Result {
    isGreen && tally.expected > 0 && isUndamaged ? .green : .red
  }

  private var isUndamaged: Bool { tally.lost == 0 && tally.duplicated == 0 && tally.bad == 0 }

  /// Prints the line `id expected got lost dup bad result` and returns the result.
  ///
  /// - Parameter isGreen: The result of further checks, for a row that promises more than "nothing lost, duplicated or
  ///   bad".
  package func finish(isGreen: Bool = true) -> Result {
    let result = result(isGreen: isGreen)
    MatrixLog.print(line(result: result), fields: fields(result: result.rawValue))
    return result
  }

  /// Prints the result of a run with a protection removed, which proves that the row can fail.
  ///
  /// - Parameter removed: The removed protection.
  /// - Returns: Red if the row detected the damage, as it must.
  package func finishControl(without removed: String) -> Result {
    let result: Result = isUndamaged ? .green : .red
    MatrixLog.print(
      "CONTROL " + line(result: result) + " without=\(removed)",
      fields: ["control"] + fields(result: result.rawValue).dropFirst() + [removed])
    return result
  }

  /// Prints `SKIPPED id: reason`.
  ///
  /// - Returns: True if the list kept with the tests allows it.
  package func skip(_ reason: String, folder: URL) throws -> Bool {
    MatrixLog.print(
      "SKIPPED \(row.id): \(reason)", fields: ["skip", row.id, row.fault, row.unit, reason])
    return try Matrix(folder: folder).allowedSkips.contains(row.id)
  }

  private func line(result: Result) -> String {
    "\(row.id) \(tally.expected) \(tally.got) \(tally.lost) \(tally.duplicated) \(tally.bad) \(result.rawValue)"
      + " count=\(done)/\(row.everyRun.map(String.init) ?? "all") unit=\(row.unit)"
      + " seconds=\(String(format: "%.1f", seconds))" + (note.isEmpty ? "" : " note=\"\(note)\"")
  }

  private func fields(result: String) -> [String] {
    [
      "row", row.id, row.fault, row.unit, row.everyRun.map(String.init) ?? "all",
      row.longRun.map(String.init) ?? "all", "\(done)", "\(tally.expected)", "\(tally.got)", "\(tally.lost)",
      "\(tally.duplicated)", "\(tally.bad)", result, String(format: "%.1f", seconds), note,
    ]
  }
}

/// A row that the matrix does not contain.
package enum MatrixError: Error, Equatable {
  case unknownRow(String)
}

/// Prints the lines of the rows to standard output, and as fields to the file named by `MATRIX_LOG`.
enum MatrixLog {
  static func print(_ line: String, fields: [String]) {
    // A single write, so that the lines of concurrent tests do not mix.
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
    guard let path = ProcessInfo.processInfo.environment["MATRIX_LOG"] else { return }
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return }
    FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      .write(Data((fields.joined(separator: "\t") + "\n").utf8))
  }
}
