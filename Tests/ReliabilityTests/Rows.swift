import Foundation
import TestSupport
import Testing

/// The rows of the fault matrix; they run one at a time, because they measure the machine as well.
@Suite("The fault matrix", .serialized)
struct FaultMatrix {
  static let folder = MatrixRun.folder

  /// Runs a row; it must come out green.
  static func row(
    _ id: String, _ body: (inout MatrixRun) async throws -> Void
  ) async throws {
    #expect(try await MatrixRun.result(of: id, body) == .green, "row \(id)")
  }

  /// Runs a row with what protects taken out; it must come out red.
  static func control(
    _ id: String, without removed: String, _ body: (inout MatrixRun) async throws -> Void
  ) async throws {
    #expect(
      try await MatrixRun.result(of: id, without: removed, body) == .red,
      "row \(id) sees nothing without \(removed)")
  }

  /// Says that this machine cannot run the row; an issue unless the list allows it.
  static func skip(_ id: String, _ reason: String) throws {
    let run = try MatrixRun(id, folder: folder)
    #expect(try run.skip(reason, folder: folder), "row \(id) may not be left out: \(reason)")
  }
}
