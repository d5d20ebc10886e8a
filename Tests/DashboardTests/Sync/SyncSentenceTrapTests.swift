import Codecs
import Platform
import Testing

@testable import DashboardCore
@testable import EngineScreens
@testable import Sync
@testable import SyncSimulation

@Suite("Sentences that attacks found false")
struct SyncSentenceTrapTests {
  private static func story() -> SyncStory {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    story.mutation(1, "m")
    return story
  }

  private static func says(_ story: SyncStory, at seconds: Double) -> String {
    story.sentence(seconds).wordings[0]
  }

  @Test("a request of the app that the breaker will refuse is no next try")
  func refusedByBreaker() {
    var story = Self.story()
    story.decide(
      40, .rateLimited, "syncing", "rateLimited", failure: SyncError(.rateLimited, status: 429), next: 106)
    story.open(40, until: 106)
    story.asks(at: 61)
    #expect(Self.says(story, at: 60).hasSuffix("; next try in 46s."))
    story.asks(at: 107)
    #expect(Self.says(story, at: 60).hasSuffix("; next try in 46s."))
  }

  @Test("a request of the app that the server's Retry-After will refuse is no next try")
  func refusedByLimit() {
    var story = Self.story()
    story.decide(
      40, .rateLimited, failure: SyncError(.rateLimited, status: 429), next: 100, limit: 100)
    story.asks(at: 61)
    #expect(Self.says(story, at: 60).contains("next try in 40s"))
  }

  @Test("a run that comes before what waits is due is not promised as its next try")
  func leftOut() {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    story.mutation(1, "m")
    story.mutation(50, "m", attempts: 1, error: "server error (HTTP 500)", notBefore: 80)
    story.decide(51, .pageApplied, next: 80)
    story.asks(at: 61)
    #expect(
      Self.says(story, at: 60).hasSuffix(
        "; the app asks again in 1s, and what waits is left out (due in 20s)."))
    story.asks(at: 81)
    #expect(Self.says(story, at: 60).hasSuffix("; next try in 20s."))
  }

  @Test("the latest probe is the cause, whatever its answer was", arguments: [429, 503])
  func probe(status: Int) {
    var story = Self.story()
    for second in [10.0, 20, 30, 40] {
      story.decide(second, .probeFailed, failure: SyncError(.undecodable, detail: "<title>Hotel</title>"))
    }
    story.decide(
      50, status == 429 ? .rateLimited : .probeFailed,
      failure: SyncError(httpStatus: status), next: 75)
    let words = Self.says(story, at: 60)
    #expect(!words.contains("login page"), "\(words)")
    #expect(words.contains("the last probe ") && words.contains("\(status)"), "\(words)")
    #expect(words.contains(" since 06:14:10"), "\(words)")
  }

  @Test("a 429 to a fetch is the cause of what it ends")
  func fetch() {
    var story = Self.story()
    story.decide(50, .rateLimited, "pulling", "error", failure: SyncError(httpStatus: 429))
    #expect(Self.says(story, at: 60).contains("the last run was told to wait (429) since 06:14:10"))
  }

  @Test("every change that was sent and not answered is counted, whichever was sent last")
  func unanswered() {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    for id in ["a", "b", "c", "d"] { story.mutation(1, id) }
    story.decide(3, .probeSucceeded, "idle", "syncing", phase: "pushing")
    for id in ["a", "b", "c", "d"] { story.mutation(4, id, "event", "create", .sent) }
    story.decide(
      10, .batchFailed, "syncing", "syncing", phase: "pushing", failure: SyncError(httpStatus: 500))
    story.decide(11, .pageApplied, next: 41)
    #expect(
      Self.says(story, at: 20).contains("sending them ended with: server error (HTTP 500)"),
      "\(Self.says(story, at: 20))")
    story.mutation(21, "new")
    #expect(
      Self.says(story, at: 22).hasPrefix(
        "Not syncing all: 4 changes were sent and not acknowledged: server error (HTTP 500); 5 changes wait"))
    for id in ["a", "b"] {
      story.mutation(41, id, "event", "create", .sent, error: "server error (HTTP 500)")
    }
    story.decide(42, .pushInterrupted, "syncing", "error", failure: SyncError(.noConnection), next: 61)
    #expect(!Self.says(story, at: 45).contains("could not be sent"))
    #expect(
      Self.says(story, at: 45).contains("; 4 of the waiting changes were sent and not acknowledged."))
    for id in ["a", "b", "c", "d"] { story.mutation(62, id, "event", "create", .acknowledged) }
    #expect(!Self.says(story, at: 63).contains("acknowledged"))
  }

  @Test("a call that hangs is told, whatever else is recorded meanwhile")
  func hung() {
    var story = Self.story()
    story.decide(39, .probeSucceeded, "idle", "syncing", phase: "pushing")
    story.mutation(40, "m", "event", "create", .sent)
    for second in [45.0, 50, 53, 70, 101] { story.mutation(second, "other") }
    #expect(
      Self.says(story, at: 54).hasPrefix(
        "Not syncing yet: the server has not answered a push for 14s, timeout in 46s;"))
    #expect(
      Self.says(story, at: 102).hasPrefix(
        "Not syncing yet: the server has not answered a push for 1m2s, longer than a request may take (1m);"),
      "\(Self.says(story, at: 102))")
  }

  @Test("being offline begins when the network went, not with the first try that failed")
  func offline() {
    var story = Self.story()
    story.fault(20, .offline)
    story.decide(30, .probeFailed, failure: SyncError(.noConnection), online: false)
    #expect(Self.says(story, at: 60).hasPrefix("Not syncing: offline since 06:13:40; 1 change waits"))
    story.fault(70, .offline, isOn: false)
    story.decide(70, .networkReturned)
    story.decide(80, .probeFailed, failure: SyncError(.noConnection), online: false)
    #expect(Self.says(story, at: 90).hasPrefix("Not syncing: offline; 1 change waits"))
  }

  @Test("changes that wait for another entity are counted by it, and no longer once it is there")
  func parents() {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    story.mutation(1, "walk", "eventType", "create")
    story.mutation(1, "run", "eventType", "create")
    story.mutation(2, "a", waitsFor: "eventType walk-entity")
    story.mutation(2, "b", waitsFor: "eventType walk-entity")
    story.mutation(2, "c", waitsFor: "eventType run-entity")
    #expect(Self.says(story, at: 60).contains("2 changes wait for eventType walk-entity, which"))
    story.mutation(3, "walk", "eventType", "create", .acknowledged)
    #expect(Self.says(story, at: 60).contains("1 change waits for eventType run-entity, which"))
    story.mutation(3, "run", "eventType", "create", .acknowledged)
    #expect(!Self.says(story, at: 60).contains("has not accepted"))
  }
}
