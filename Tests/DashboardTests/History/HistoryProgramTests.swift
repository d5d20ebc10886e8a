import Aggregation
import Codecs
import History
import Platform
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardCore
@testable import HistoryScreen

@Suite("The program and its historian")
struct HistoryProgramTests {
  /// A historian that notes what it is asked and answers when a test tells it to.
  final class TestHistorian: HistoryClient, @unchecked Sendable {
    // Safe: the loop under test runs on the test's own thread.
    let wakeDescriptor: Int32 = 78
    var waiting = HistoryNews()
    private(set) var asked: [HistoryQuery] = []
    private(set) var exports: [HistoryExport] = []
    private(set) var cancellations = 0

    func ask(_ query: HistoryQuery) { asked.append(query) }

    func news() -> HistoryNews {
      let news = waiting
      waiting.answer = nil
      waiting.sentence = nil
      waiting.incidents = nil
      return news
    }

    private(set) var preparations = 0
    func prepare() { preparations += 1 }
    func export(_ request: HistoryExport) { exports.append(request) }
    func cancel() { cancellations += 1 }
    private(set) var searches = 0
    func findIncidents(_ sensitivity: DetectionBudget.Sensitivity) { searches += 1 }

    func answer() { waiting.answer = asked.last.map { FixtureScan(query: $0).answer } }
  }

  let feed = ProgramTests.TestFeed()
  let clock = ProgramTests.TestWorld()
  let backend = KeyboardBackend(size: Size(width: 120, height: 36))
  let historian = TestHistorian()

  init() {
    adoptUTF8()
    feed.current = HistoryFixture.shared
    clock.time = HistoryFixture.now.seconds
  }

  func program(
    _ historian: (any HistoryClient)?, edit: @escaping (String, Int) -> String? = { _, _ in nil },
    keep: @escaping (HistoryNotes) -> String? = { _ in nil }
  ) -> Program {
    var environment = clock.environment
    environment.edit = edit
    let model = Model(size: backend.size, now: Timestamp(clock.time), zone: .utc)
    return Program(
      backend: backend, feed: feed, history: historian, model: model, environment: environment, keep: keep)
  }

  /// Presses keys and runs until they are drawn.
  func press(_ keys: [KeyPress], _ program: Program) {
    backend.events = keys.map(InputEvent.key)
    clock.answers = [[5]]
    for _ in 0..<3 { program.step() }
  }

  /// Lets the historian's answer come.
  func answer(_ program: Program) {
    historian.answer()
    clock.answers = [[78]]
    for _ in 0..<3 { program.step() }
  }

  @Test("the History screen asks, and shows the answer when it comes; keys are never kept waiting")
  func asks() {
    let program = program(historian)
    program.step()
    // How far it reaches, for the rail.
    #expect(historian.asked.map(\.focus) == [nil] && clock.waits.contains { $0.descriptors.contains(78) })
    #expect(historian.preparations == 1)
    press([KeyPress("2")], program)
    #expect(historian.asked.count == 2 && program.model.session.history.answer == nil)
    press([KeyPress("+")], program)
    #expect(historian.asked.count == 3 && program.model.history.span != nil)
    answer(program)
    #expect(program.model.session.history.answer?.query == historian.asked.last || historian.asked.count > 3)
  }

  @Test("without a historian the screen says so and polls nobody")
  func none() {
    let program = program(nil)
    program.step()
    press([KeyPress("2")], program)
    #expect(program.model.screen == "history" && !program.model.session.history.isAvailable)
    #expect(clock.waits.allSatisfy { !$0.descriptors.contains(78) })
  }

  @Test("the editor gets the terminal, and everything is drawn again after it")
  func editor() {
    var edited: [String] = []
    let program = program(
      historian,
      edit: { path, line in
        edited.append("\(path):\(line)")
        // The window is made smaller meanwhile.
        backend.size = Size(width: 80, height: 24)
        return "vi could not be started"
      })
    program.step()
    press([KeyPress("2")], program)
    for _ in 0..<3 { answer(program) }
    press([KeyPress("o")], program)
    #expect(edited.count == 1 && edited[0].hasPrefix("/logs/app.jsonl:"))
    #expect(backend.commands.suffix(2) == [.lend, .takeBack])
    #expect(program.model.session.toast?.text == "vi could not be started")
    #expect(program.model.session.size == Size(width: 80, height: 24))
  }

  @Test("exports and cancellations reach the historian, notes are kept")
  func effects() {
    var kept: [HistoryNotes] = []
    let program = program(
      historian,
      keep: {
        kept.append($0)
        return "the disk is full"
      })
    program.step()
    press([KeyPress("2"), .control("s"), KeyPress(.enter)], program)
    #expect(historian.exports.map(\.format) == [.csv])
    historian.waiting.work = HistoryWork(kind: .exporting, progress: FeedProgress(done: 1, total: 2))
    answer(program)
    press([KeyPress(.escape)], program)
    #expect(historian.cancellations == 1)
    press([KeyPress("m"), KeyPress("a")], program)
    #expect(
      kept.last?.marks.keys.sorted() == ["a"] && program.model.session.toast?.text == "the disk is full")
  }
}
