import History
import TelemetryCore
import TestSupport
import Testing

@testable import DashboardCore
@testable import PayloadsScreen

@Suite("Functions on the payload overview")
struct OverviewSymbolTests {
  /// Names every frame by its depth, and records the kinds that it was asked for.
  private struct DepthNames: CallStackSymbols {
    let asked = Recorder<String>()
    var problem: String?

    func symbolicated(_ stacks: RecordedCallStacks, of kind: String) -> RecordedCallStacks {
      asked.append(kind)
      return stacks.naming(stacks.frames.map { [.init(function: "f\($0.depth)", file: "/src/a.c", line: 9)] })
    }

    func keep() { asked.append("keep") }
  }

  @Test("the call stacks of diagnostics have the functions that are known, and what was found is kept")
  func reader() throws {
    let symbols = DepthNames()
    var reader = DiagnosticReader(OverviewFixture.archive, symbols: symbols)
    while !reader.isDone { reader.read(1 << 20) }
    let stacks = reader.callStacks(of: [0, 3], limit: 1 << 20).stacks
    #expect(stacks.last?.frames.map(\.function) == ["f0", "f1", "f2", "f3"])
    #expect(symbols.asked.all.contains("crashDiagnostics.callStackTree"))
    #expect(symbols.asked.all.contains("hangDiagnostics.callStackTree"))
    #expect(symbols.asked.all.last == "keep")
    #expect(
      DiagnosticReader(OverviewFixture.archive).callStacks(of: [0], limit: 1).stacks.first?.frames.first?
        .function == nil)
  }

  @Test("an opened group shows functions with file and line, and the reason why there are none")
  func screen() throws {
    var state = OverviewState()
    func work(_ symbols: DepthNames) {
      while let work = state.refresh(
        OverviewFixture.archive, key: OverviewFixture.key, rows: 40, symbols: symbols)
      {
        state.adopt(work.run())
      }
    }
    let symbols = DepthNames(problem: "llvm-symbolizer was not found")
    work(symbols)
    let crashes = try #require(state.content.lines.firstIndex { $0.label == "Crashes by function" })
    _ = state.fold(state.content.lines[crashes + 1])
    work(symbols)
    let labels = state.content.lines.map(\.label)
    #expect(labels.contains("App f1, a.c:9"))
    #expect(labels.contains { $0.contains("llvm-symbolizer was not found") })
  }
}
