import TestSupport
import Testing

@Suite("Counts of the matrix")
struct MatrixTests {
  @Test func `Counts are scaled evenly, and never below a tenth`() throws {
    let row = try #require(try Matrix(folder: FaultMatrix.folder)["W1"])
    #expect(MatrixPace(environment: [:]).count(of: row) == 200)
    #expect(MatrixPace(environment: ["MATRIX_SCALE": "0.5"]).count(of: row) == 1000)
    #expect(MatrixPace(environment: ["MATRIX_SCALE": "0.001"]).count(of: row) == 200)
    #expect(MatrixPace(environment: ["MATRIX_LONG": "1"]).count(of: row) == 20_000)
  }

  @Test func `A row without anything expected is not green`() throws {
    let run = try MatrixRun("T5", folder: FaultMatrix.folder, pace: MatrixPace(environment: [:]))
    #expect(run.count == 20)
    #expect(throws: MatrixError.unknownRow("Z9")) { try MatrixRun("Z9", folder: FaultMatrix.folder) }
  }
}
