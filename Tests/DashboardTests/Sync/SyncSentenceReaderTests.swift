import Codecs
import Platform
import Testing

@testable import DashboardCore
@testable import EngineScreens
@testable import Sync
@testable import SyncSimulation

@Suite("Sentences about syncing that readers found false")
struct SyncSentenceReaderTests {
  private static func says(_ story: SyncStory, at seconds: Double) -> String {
    story.sentence(seconds).wordings[0]
  }

  @Test("everything is fetched again only where something was fetched before")
  func again() {
    var story = SyncStory()
    story.decide(0, .pushFinished, phase: "bootstrapping")
    #expect(Self.says(story, at: 1) == "Syncing: fetching everything; nothing waits.")
    story.run(2)
    story.decide(3, .pushFinished, phase: "bootstrapping")
    #expect(Self.says(story, at: 4) == "Syncing: fetching everything again; nothing waits.")
  }

  @Test("cleared changes are not called synced")
  func cleared() {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    story.mutation(1, "d", "event", "create", .dead, attempts: 5)
    #expect(Self.says(story, at: 2).hasSuffix("queue it again or discard it; nothing else waits."))
  }

  @Test("pushes with acknowledgements between them are runs, not pushes without an answer")
  func answered() {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    for id in ["a", "b"] { story.mutation(1, id) }
    func fail(_ second: Double) {
      story.decide(
        second, .pushInterrupted, "syncing", "error", failure: SyncError(.timeout), next: second + 9)
    }
    fail(10)
    fail(20)
    #expect(Self.says(story, at: 21).contains("the last 2 pushes got no answer in time"))
    story.mutation(25, "a", "event", "create", .acknowledged)
    fail(30)
    #expect(Self.says(story, at: 31).contains("the last 3 runs got no answer in time since 06:13:30"))
  }

  @Test("a new engine has its own state, since its own start and for its own reason")
  func restarted() {
    var old = SyncStory()
    old.decide(0, .pageApplied)
    old.decide(5, .pageApplied)
    #expect(old.state.since == SyncStory.at(0))
    var new = SyncStory(after: old)
    new.decide(100, .syncRequested, phase: "probing")
    #expect(new.state.since == SyncStory.at(100))
    #expect(new.state.cause?.value.event == SyncEvent.Kind.syncRequested.rawValue)
  }

  @Test("a change waits since it was recorded, whatever the device's clock says of its creation")
  func clock() throws {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    story.mutation(1, "a", created: -86_400)
    #expect(story.state.begun(try #require(story.state.queue.first)) == SyncStory.at(1))
  }

  @Test("changes among those that wait are counted among them, with a 429 that they got")
  func among() {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    for id in ["a", "b"] { story.mutation(1, id) }
    story.mutation(9, "a", "event", "create", .sent)
    story.decide(
      10, .rateLimited, "syncing", "rateLimited", failure: SyncError(.rateLimited, status: 429), next: 40)
    #expect(Self.says(story, at: 20).hasSuffix("; 1 of the waiting changes was told to wait (429)."))
    story.mutation(21, "b", "event", "create", .acknowledged)
    #expect(Self.says(story, at: 22).hasSuffix("; the waiting change was told to wait (429)."))
  }

  @Test("the age of a change and its failures are two clauses")
  func comma() {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    for id in ["a", "b"] { story.mutation(1, id) }
    story.decide(10, .probeFailed, failure: SyncError(.timeout), next: 20)
    story.decide(20, .syncRequested, phase: "probing")
    #expect(
      Self.says(story, at: 30).contains("the oldest for 29s, after the last probe got no answer in time"))
  }

  @Test("a try that waits for a change says so")
  func held() {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    story.mutation(1, "a", next: 31, cause: .held)
    #expect(Self.says(story, at: 11) == "1 change waits for 10s; next try in 20s, when it may be sent.")
  }
}
