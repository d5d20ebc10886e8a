import Aggregation
import History
import Platform
import TelemetryCore
import TerminalUI
import Testing

@testable import DashboardCore
@testable import PayloadsScreen

@Suite("What a person does in the payload overview")
struct OverviewStateTests {
  init() { adoptUTF8() }

  private func line(_ state: OverviewState, _ label: String) throws -> OverviewLine {
    try #require(state.content.lines.first { $0.label == label }, "\(label)")
  }

  private func fold(_ state: inout OverviewState, _ label: String) throws {
    #expect(state.fold(try line(state, label)))
    OverviewFixture.refresh(&state, 120, 36)
  }

  @Test("the first finding is selected until another line is; the selection stays with its name")
  func selection() throws {
    var state = OverviewFixture.state(120, 36)
    #expect(
      state.content.selectedLine?.label.hasPrefix("launch to first draw +53%, slower (1.28s against") == true
        && state.line == nil)
    state.show(.figure(.init(figure: .init(name: PayloadFixture.hangs, unit: "ms"), part: .whole)))
    OverviewFixture.refresh(&state, 120, 36)
    #expect(state.content.selectedLine?.label == "hang")
    let key = OverviewSummary.Key(
      payloads: ValueVersion().next, a: OverviewFixture.key.a, b: nil, names: ["2.4.1"])
    OverviewFixture.refresh(&state, 120, 36, key: key)
    #expect(state.content.selectedLine?.label == "hang" && state.content.overview?.b == nil)
    state.move(by: .max)
    #expect(state.content.selected == state.content.lines.count - 1)
    state.move(by: .min)
    #expect(state.content.selected == 0)
  }

  @Test("a section is folded with the number of its figures and of what changed for real")
  func sections() throws {
    var state = OverviewFixture.state(120, 36)
    let before = state.content.lines.count
    try fold(&state, "Launches")
    #expect(state.content.lines.count == before - 2)
    #expect(try line(state, "Launches").content == .section(hidden: 2, real: 1))
    #expect(try line(state, "Launches").fold == .collapsed)
    // The selected row is folded away: its section has the selection.
    #expect(state.content.selectedLine?.label == "Launches")
    try fold(&state, "Launches")
    #expect(state.content.lines.count == before)
    #expect(!state.fold(try line(state, "resume")))
  }

  /// How many diagnostics each side has in a line.
  private func counts(_ state: OverviewState, _ label: String) throws -> [Int]? {
    guard case .rate(let rate) = try line(state, label).content else { return nil }
    return [rate.a.count, rate.b?.count].compactMap(\.self)
  }

  private func families(_ state: OverviewState) -> [OverviewLine] {
    state.content.lines.filter { if case .family = $0.id { true } else { false } }
  }

  @Test("diagnostics come so often in a device-day, and two against one of 30 days each are no difference")
  func rates() throws {
    let state = OverviewFixture.state(120, 36)
    guard case .rate(let rate) = try line(state, "Crashes by module").content else {
      Issue.record("no rate")
      return
    }
    #expect(rate.a.exposure.days == 30 && rate.b?.exposure.days == 30)
    #expect(rate.change == 1 && rate.verdict?.finding == .noDifference)
    let found = try #require(rate.a.perThousandDays)
    #expect(abs(found.value - 66.7) < 0.1 && found.lower < found.value && found.upper > found.value)
  }

  @Test("diagnostics are told by kind and family, with their releases and the words of the system")
  func diagnostics() throws {
    var state = OverviewFixture.state(120, 36)
    #expect(try counts(state, "Crashes by module") == [2, 1])
    #expect(
      families(state).map(\.label) == [
        "SIGSEGV in libsystem_kernel.dylib < App x2 < UIKitCore",
        "Main Runloop Hang in libz.1.dylib < App x2",
      ])
    #expect(families(state)[0].fold == .collapsed)
    _ = state.fold(families(state)[1])
    OverviewFixture.refresh(&state, 120, 36)
    #expect(try line(state, "first 2.4.0, last 2.4.1").content == .note)
    #expect(try line(state, "at most 4.20s").content == .note)
    #expect(try line(state, "Main Runloop Hang").content == .reason(count: 2))
    #expect(try line(state, "libz.1.dylib +0x300 in 2.4.1").content == .reason(count: 1))
    #expect(try line(state, "App +0x100").content == .node(total: 80, own: 10, share: 1))
    #expect(try line(state, "App +0x200").content == .node(total: 50, own: 10, share: 0.625))
    #expect(!state.content.lines.contains { $0.label == "libz.1.dylib +0x300" })
    try fold(&state, "App +0x200")
    #expect(try line(state, "libz.1.dylib +0x300").depth == 2)
    try fold(&state, "App +0x100")
    #expect(!state.content.lines.contains { $0.label == "App +0x200" })
    try fold(&state, "Hangs by module")
    #expect(try counts(state, "Crashes by module") == [2, 1])
  }

  @Test("a crash is unfolded as far as there is one way, with addresses of 64 bits")
  func crash() throws {
    var state = OverviewFixture.state(120, 36)
    _ = state.fold(try #require(families(state).first))
    OverviewFixture.refresh(&state, 120, 36)
    #expect(try line(state, "App +0x2000").content == .node(total: 3, own: 0, share: 1))
    #expect(try line(state, "UIKitCore 0xffffffffffffffff").content == .node(total: 3, own: 3, share: 1))
    #expect(
      try line(state, "EXC_BAD_ACCESS, SIGSEGV, Namespace SIGNAL, Code 11 Segmentation fault: 11").depth == 6)
  }

  @Test("it is copied with tabs, and what a file says makes no rows and columns")
  func text() {
    var archive = OverviewFixture.archive
    archive.figures.append(.init(name: "evil\tname\n\u{1B}[2J", unit: "count"))
    archive.payloads[0].values.append((archive.figures.count - 1, .number(3)))
    var state = OverviewState()
    OverviewFixture.refresh(&state, 80, 24, archive)
    let rows = state.content.text(Theme()).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(rows.count == state.content.lines.count + 1)
    #expect(Set(rows.map { row in row.count { $0 == "\t" } }).count == 1)
    let launches = rows.first { $0.hasPrefix("  first draw\t1.28s ±5ms\t360\t") }
    #expect(launches?.hasSuffix("\t+53%\treal\tslower") == true)
    #expect(!rows.joined().contains("\u{1B}"))
  }

  @Test("many payloads are summarized a little at a time, and lines wait for their figures")
  func steps() {
    var state = OverviewState()
    let archive = OverviewFixture.archive
    var turns = 0
    let budget = OverviewSummary.Budget(values: 1, bytes: 1)
    while let work = state.refresh(archive, key: OverviewFixture.key, rows: 20, budget: budget) {
      state.adopt(work.run())
      turns += 1
    }
    #expect(turns > 10)
    #expect(state.content.lines == OverviewFixture.state(120, 36).content.lines)
  }

  @Test("lines that are no diagnostics are counted, and those of versions that were not chosen are left out")
  func others() throws {
    var archive = OverviewFixture.archive
    archive.diagnostics.append(
      .init(kind: "crashDiagnostics", time: Timestamp(0), json: Array("{\"callStacks\":".utf8)))
    archive.diagnostics += PayloadFixture.diagnostics(
      {
        var payload = DiagnosticPayload()
        payload.crashDiagnostics = [PayloadFixture.crash("1.0")]
        return payload
      }(), number: 2)
    var state = OverviewState()
    OverviewFixture.refresh(&state, 120, 36, archive)
    #expect(state.content.summary?.reader.unread == 1)
    #expect(try counts(state, "Crashes by module") == [2, 1])
    let family = try #require(state.content.families.first)
    #expect(family.rate.a.count == 2 && family.first.version == "1.0" && family.last.version == "2.4.1")
  }

  @Test("simulated diagnostics are told apart from real ones and come last")
  func simulated() throws {
    var archive = OverviewFixture.archive
    let text = String(decoding: archive.diagnostics[0].json, as: UTF8.self)
    let simulated = text.replacing(#""simulated":false"#, with: #""simulated":true"#)
    #expect(text != simulated)
    archive.diagnostics.append(
      .init(kind: archive.diagnostics[0].kind, time: Timestamp(0), json: Array(simulated.utf8)))
    var state = OverviewState()
    OverviewFixture.refresh(&state, 120, 36, archive)
    #expect(try counts(state, "Crashes by module") == [2, 1])
    let label = "SIGSEGV in libsystem_kernel.dylib < App x2 < UIKitCore"
    #expect(families(state).prefix(2).map(\.label) == [label, label + ", simulated"])
    #expect(try counts(state, label + ", simulated") == [1, 0])
  }

  @Test("every size is drawn, and nothing but what may be drawn", arguments: [true, false])
  func sizes(hasB: Bool) {
    let key = OverviewSummary.Key(
      payloads: ValueVersion(), a: OverviewFixture.key.a, b: hasB ? OverviewFixture.key.b : nil,
      names: hasB ? OverviewFixture.key.names : ["2.4.1"])
    var state = OverviewFixture.atStacks(120, 36)
    OverviewFixture.refresh(&state, 120, 36, key: key)
    let theme = Theme(capabilities: Capabilities(depth: .none))
    for width in [0, 1, 5, 19, 20, 35, 39, 40, 59, 60, 76, 79, 80, 99, 100, 119, 120, 150, 200, 240] {
      for height in [0, 1, 2, 3, 4, 5, 8, 11, 12, 15, 16, 23, 24, 29, 30, 36, 60] {
        let frame = ScreenFrame(size: Size(width: width, height: height))
        var buffer = Buffer(size: frame.size, repertoire: .unicode)
        let view = OverviewView(state: state, theme: theme, step: frame.step)
        view.drawBody(in: frame.body, into: &buffer)
        guard width >= 20, height >= 5 else { continue }
        #expect(buffer.lines.joined().contains("›"), "\(width)x\(height)")
      }
    }
  }
}
