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
}
