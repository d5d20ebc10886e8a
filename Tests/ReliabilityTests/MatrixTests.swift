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

  @Test func `A row is green when something was expected, and nothing lost, doubled or bad`() throws {
    var run = try MatrixRun("T5", folder: FaultMatrix.folder, pace: MatrixPace(environment: [:]))
    #expect(run.result() == .red)
    run.tally.expected = 1
    #expect(run.result() == .green)
    #expect(run.result(isGreen: false) == .red)
    for damage: WritableKeyPath<MatrixRun.Tally, Int> in [\.lost, \.duplicated, \.bad] {
      run.tally[keyPath: damage] = 1
      #expect(run.result() == .red)
      run.tally[keyPath: damage] = 0
    }
  }

  @Test func `A row runs its count, and a long run ends with its time once the usual count is reached`()
    throws
  {
    var usual = try MatrixRun("T5", folder: FaultMatrix.folder, pace: MatrixPace(environment: [:]))
    while usual.goesOn(by: 3) {}
    #expect(usual.done == 21)
    let hurried = MatrixPace(environment: ["MATRIX_LONG": "1", "MATRIX_SECONDS": "0"])
    var long = try MatrixRun("W1", folder: FaultMatrix.folder, pace: hurried)
    while long.goesOn() {}
    #expect(long.done == 2000)
    #expect(throws: MatrixError.unknownRow("Z9")) { try MatrixRun("Z9", folder: FaultMatrix.folder) }
  }
}
