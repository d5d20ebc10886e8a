import Aggregation
import Codecs
import History
import Platform
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardCore
@testable import HistogramScreen
@testable import PayloadsScreen

@Suite("The payload overview is summarized beside the loop")
struct OverviewWorkTests {
  init() { adoptUTF8() }

  private let budget = OverviewSummary.Budget(values: 1, bytes: 1)
  private let older = OverviewSummary.Key(
    payloads: ValueVersion(), a: OverviewFixture.key.b ?? SampleCube.Choice(), b: nil, names: ["2.4.0"])

  private func refresh(
    _ state: inout OverviewState, _ key: OverviewSummary.Key = OverviewFixture.key
  ) -> OverviewWork? {
    state.refresh(OverviewFixture.archive, key: key, rows: 20, budget: budget)
  }

  @Test("one piece of work is under way at a time; what is known is shown meanwhile")
  func one() throws {
    var state = OverviewState()
    let first = try #require(refresh(&state))
    #expect(refresh(&state) == nil && state.content.lines.isEmpty)
    state.adopt(first.run())
    let second = try #require(refresh(&state))
    #expect(state.content.overview?.rows.count { $0.isKnown } == 1)
    #expect(second.id != first.id && refresh(&state) == nil)
  }

  @Test(
    "what was shown stays until the first slice of another choice is known; slices of other choices are dropped"
  )
  func otherChoice() throws {
    var state = OverviewFixture.state(120, 36)
    let before = state.content.lines
    let dropped = try #require(refresh(&state, older))
    #expect(state.content.lines == before)
    // The person goes back before the work is done.
    #expect(refresh(&state) == nil)
    state.adopt(dropped.run())
    #expect(refresh(&state) == nil && state.content.lines == before)
    let wanted = try #require(refresh(&state, older))
    state.adopt(wanted.run())
    _ = refresh(&state, older)
    #expect(state.content.overview?.a.name == "2.4.0" && state.content.overview?.b == nil)
  }

  @Test("work that is waited for no longer is begun again, and its late result is not taken twice")
  func abandoned() throws {
    var state = OverviewState()
    let first = try #require(refresh(&state))
    state.abandonWork()
    state.adopt(first.run())
    #expect(state.content.summary == nil)
    let again = try #require(refresh(&state))
    #expect(again.id == first.id)
    state.adopt(first.run())
    let next = try #require(refresh(&state))
    state.adopt(again.run())
    #expect(state.underWay == next.id && state.content.overview?.summarized == 1)
  }

  @Test("a screen that was left and is shown again goes on with what it had begun")
  func left() throws {
    var model = Model(size: Size(width: 120, height: 36), now: Timestamp(810_000_000), zone: .utc)
    var news = HistoryNews()
    _ = update(&model, .history(news))
    let query = try #require(update(&model, .input(.key(KeyPress("3")))).compactMap(\.query).last)
    var answer = HistoryAnswer(query: query)
    answer.series = OverviewFixture.archive.figures.map { figure in
      HistorySeries(
        identity: SeriesIdentity(
          bucket: PayloadArchive.bucket, name: figure.name, typeName: "PayloadHistogram",
          field: "bins"),
        count: 1, total: 1)
    }
    news.answer = answer
    let wanted = try #require(update(&model, .history(news)).compactMap(\.query).last)
    answer.query = wanted
    answer.payloads = OverviewFixture.archive
    news.answer = answer
    let work = try #require(update(&model, .history(news)).compactMap(\.work).last)
    #expect(view(model).buffer.lines.joined().contains("Reading the payloads"))
    _ = update(&model, .input(.key(KeyPress("1"))))
    _ = update(&model, .worked(work.id, work.run()))
    #expect(model.payloads.content.summary == nil)
    _ = updateAtOnce(&model, [.input(.key(KeyPress("3")))])
    #expect(view(model).buffer.lines.joined().contains("A 2.4.1 vs B 2.4.0"))
    #expect(model.payloads.underWay == nil)
  }
}

extension Effect {
  fileprivate var query: HistoryQuery? { if case .ask(let query) = self { query } else { nil } }
  fileprivate var work: Work? { if case .work(let work) = self { work } else { nil } }
}
