import Codecs
import Platform
import Testing

@testable import DashboardCore
@testable import EngineScreens
@testable import Sync

@Suite("Why a sync engine does not sync, in one sentence")
struct SyncSentenceTests {
  private static let page = SyncError(
    .undecodable, status: 200, detail: "<html><title>Welcome to Free Wi-Fi</title>")

  /// Troubles of whole runs, each told to a record in which a change waits since second 1.
  private static let causes: [(name: String, tell: @Sendable (inout SyncStory) -> Void, words: String)] = [
    (
      "login page",
      { story in
        for second in [20.0, 30, 40] { story.decide(second, .probeFailed, failure: page, next: 75) }
      },
      "Not syncing: 1 change waits for 59s; the last 3 probes got a login page since 06:13:40 (HTTP 200: “Welcome to Free "
        + "Wi-Fi”); next try in 15s"
    ),
    (
      "no answer", { $0.decide(40, .probeFailed, failure: SyncError(.timeout), next: 62) },
      "Not syncing: 1 change waits for 59s; the last probe got no answer in time since 06:14:00; next try in 2s"
    ),
    (
      "outage",
      { story in
        for second in [20.0, 30] {
          story.decide(
            second, .probeFailed, failure: SyncError(.server, status: 503, detail: "down for maintenance"),
            next: 90)
        }
      },
      "Not syncing: 1 change waits for 59s; the last 2 probes got a server error since 06:13:40 (HTTP 503: down for "
        + "maintenance); next try in 30s"
    ),
    (
      "no connection in a push",
      { $0.decide(40, .pushInterrupted, "syncing", "error", failure: SyncError(.noConnection), next: 61) },
      "Not syncing: 1 change waits for 59s; the last push found no connection since 06:14:00; next try in 1s"
    ),
    (
      "session",
      {
        $0.decide(
          40, .probeFailed, "idle", "error",
          failure: SyncError(.unauthorized, status: 401, detail: "token expired"))
      },
      "Not syncing: the session has expired since 06:14:00 (HTTP 401: token expired); 1 change waits for 59s; "
        + "sign in again; the next try comes with the next change, or when the app asks"
    ),
    (
      "access",
      { $0.decide(40, .probeFailed, "idle", "error", failure: SyncError(.forbidden, status: 403)) },
      "Not syncing: the server denies access since 06:14:00 (HTTP 403); 1 change waits for 59s; check "
        + "the account; the next try comes with the next change, or when the app asks"
    ),
    (
      "429",
      { story in
        story.decide(
          40, .rateLimited, "syncing", "rateLimited", failure: SyncError(.rateLimited, status: 429), next: 70)
        story.open(40, until: 70)
      },
      "Not syncing: the server answers 429 (too many requests) since 06:14:00, the breaker is open for 10s more; 1 change "
        + "waits for 59s; next try in 10s"
    ),
    (
      "offline", { $0.decide(40, .storeReset, online: false) },
      "Not syncing: offline; 1 change waits for 59s; next try when the network is back"
    ),
    (
      "fetching",
      { story in
        story.decide(
          40, .runFailed, "pulling", "error", failure: SyncError(.server, status: 500, detail: "no index"))
      },
      "Not syncing: 1 change waits for 59s; the last run got a server error since 06:14:00 (HTTP 500: no index); the next "
        + "try comes with the next change, or when the app asks"
    ),
    (
      "store",
      {
        $0.decide(
          40, .runFailed, "syncing", "error", failure: SyncError(.store, detail: "disk full"), next: 70)
      },
      "Not syncing: 1 change waits for 59s; the last run failed in the local store since 06:14:00 (disk full); next try in 10s"
    ),
  ]

  /// Troubles of single changes.
  private static let others: [(name: String, tell: @Sendable (inout SyncStory) -> Void, words: String)] = [
    (
      "dropped",
      {
        $0.mutation(
          50, "d", "geofence", "create", .dead, attempts: 5, error: "request refused (HTTP 422): bad radius")
      },
      "1 change was dropped after 5 attempts, the last one create geofence: request refused (HTTP 422): bad radius"
    ),
    (
      "refused",
      { $0.mutation(50, "r", "event", "update", .queued, attempts: 2, error: "server error (HTTP 500)") },
      "1 change is refused, update event 2 of 5 times: server error (HTTP 500)"
    ),
    (
      "blocked", { $0.mutation(50, "c", "event", "create", .queued, waitsFor: "eventType walk") },
      "1 change waits for eventType walk, which the server has not accepted yet"
    ),
  ]

  private static func story() -> SyncStory {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    story.mutation(1, "m")
    story.decide(3, .syncRequested, phase: "probing")
    return story
  }

  @Test("each cause: what, since when, in whose words, and what comes next", arguments: causes.indices)
  func cause(place: Int) {
    let cause = Self.causes[place]
    var story = Self.story()
    cause.tell(&story)
    #expect(story.sentence(60).wordings[0] == cause.words + ".", "\(cause.name)")
    #expect(story.sentence(60).mood != .good)
  }

  @Test("what is the matter with single changes comes behind what is with all", arguments: causes.indices)
  func pairs(place: Int) {
    let cause = Self.causes[place]
    for other in Self.others {
      var story = Self.story()
      other.tell(&story)
      cause.tell(&story)
      let words = story.sentence(60).wordings[0]
      // The count of what waits is another one, where the other change waits as well.
      let first = cause.words.split(separator: ";")[0].prefix(12)
      #expect(words.hasPrefix(first), "\(cause.name), \(other.name): \(words)")
      let end =
        other.name == "refused"
        ? "1 of the waiting changes is\(other.words.dropFirst("1 change is".count))"
        : "besides, \(other.words)"
      #expect(words.hasSuffix("; \(end)."), "\(cause.name), \(other.name): \(words)")
    }
  }

  @Test("of two causes that can meet, the one that has to be mended first comes first")
  func order() {
    func first(_ names: String...) -> String {
      var story = Self.story()
      for name in names { Self.causes.first { $0.name == name }?.tell(&story) }
      return story.sentence(60).wordings[0]
    }
    for name in ["login page", "no answer", "outage", "no connection in a push", "fetching", "store"] {
      #expect(first("429", name).contains("429 (too many requests)"), "\(name)")
      #expect(first(name, "offline").hasPrefix("Not syncing: offline;"), "\(name)")
      #expect(first(name, "session").hasPrefix("Not syncing: the session has expired"), "\(name)")
      #expect(first("session", name).contains("the last"), "\(name)")
    }
    #expect(first("429", "session").hasPrefix("Not syncing: the session has expired"))
    #expect(first("429", "offline").contains("429"))
  }

  @Test("of two causes one after the other, each has its own beginning")
  func since() {
    var story = Self.story()
    for second in [10.0, 20, 30] { story.decide(second, .probeFailed, failure: Self.page, next: 40) }
    #expect(story.sentence(35).wordings[0].contains("the last 3 probes got a login page since 06:13:30"))
    story.decide(40, .probeFailed, "idle", "error", failure: SyncError(.unauthorized, status: 401))
    #expect(
      story.sentence(50).wordings[0].hasPrefix(
        "Not syncing: the session has expired since 06:14:00 (HTTP 401);"))
  }

  @Test("while runs succeed, single changes are what is the matter", arguments: others.indices)
  func single(place: Int) {
    var story = SyncStory()
    story.decide(0, .pageApplied, next: 75)
    Self.others[place].tell(&story)
    #expect(story.sentence(60).wordings[0].contains(Self.others[place].words))
  }

  @Test("a dead parent is named with what the server said of it")
  func deadParent() {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    story.mutation(
      1, "walk", "eventType", "create", .dead, attempts: 5, error: "request refused (HTTP 400): no name")
    story.mutation(2, "c", "event", "create", .queued, waitsFor: "eventType walk-entity")
    #expect(
      story.sentence(60).wordings[0]
        == "Not syncing all: 1 change waits for eventType walk-entity, whose create was dropped: request refused (HTTP 400): "
        + "no name. Sync resumes once that is queued again or discarded.")
  }

  @Test("a parent that is still refused is named with what the server said of it")
  func refusedParent() {
    var story = SyncStory()
    story.decide(0, .pageApplied)
    story.mutation(
      1, "walk", "eventType", "create", .queued, attempts: 4, error: "request refused (HTTP 422): no name")
    story.mutation(2, "c", "event", "create", .queued, waitsFor: "eventType walk-entity")
    #expect(
      story.sentence(60).wordings[0].contains(
        "1 change waits for eventType walk-entity, which the server has not accepted yet: "
          + "request refused (HTTP 422): no name"))
  }

  @Test("what ends a push without counting against the change is told, while runs go on")
  func putOff() {
    var story = SyncStory()
    story.decide(0, .pageApplied, next: 75)
    for id in ["a", "b"] {
      story.mutation(1, id)
      story.mutation(9, id, "event", "create", .sent)
    }
    story.decide(
      10, .batchFailed, failure: SyncError(.server, status: 500, detail: "service unavailable"), next: 75)
    #expect(
      story.sentence(60).wordings[0].hasPrefix(
        "Not syncing: 2 changes wait, the oldest for 59s; sending them ended with: "
          + "server error (HTTP 500): service unavailable; "))
    story.mutation(20, "new")
    #expect(
      story.sentence(60).wordings[0].hasPrefix(
        "Not syncing all: 2 changes were sent and not acknowledged: server error (HTTP 500): service unavailable;"
      ))
  }

  @Test("a run that begins, or that nothing ends, does not hide what was the matter")
  func hidden() {
    var story = Self.story()
    story.decide(40, .probeFailed, "idle", "error", failure: SyncError(.unauthorized, status: 401))
    story.decide(50, .syncRequested, phase: "probing")
    #expect(
      story.sentence(51).wordings[0].hasPrefix("Trying again after the last probe found the session expired"))
    #expect(story.sentence(500).wordings[0].contains("the app may have ended"))
    #expect(story.sentence(500).wordings[0].contains("after the last probe found the session expired"))
    story = Self.story()
    story.mutation(2, "d", "geofence", "create", .dead, attempts: 5, error: "request refused (HTTP 422): bad")
    #expect(story.sentence(500).wordings[0].contains("besides, 1 change was dropped after 5 attempts"))
  }

  @Test("nothing is wrong")
  func good() {
    var story = SyncStory()
    story.decide(0, .syncRequested, phase: "probing")
    #expect(story.sentence(1).wordings[0] == "Probing the server; nothing waits.")
    #expect(story.sentence(9).wordings[0].contains("has not answered the probe for 9s, timeout in 51s"))
    #expect(story.sentence(200).wordings[0].contains("the app may have ended"))
    story.decide(10, .pageApplied)
    story.run(10)
    #expect(
      story.sentence(15).wordings[0]
        == "In sync: nothing waits; the last run succeeded at 06:13:30, 5s ago.")
    story.mutation(20, "m", next: 22)
    #expect(story.sentence(20.5).wordings[0] == "1 change waits for 500ms; next try in 1.5s.")
    #expect(story.sentence(20.5).mood == .good)
  }

  @Test("the shortest wording fits into a small terminal", arguments: causes.indices)
  func short(place: Int) {
    var story = Self.story()
    Self.causes[place].tell(&story)
    for size in [(38, 3), (78, 3), (116, 2)] {
      #expect(
        story.sentence(60).lines(width: size.0, most: size.1).count <= size.1, "\(Self.causes[place].name)")
    }
  }
}
