import Telemetry
import Testing

@Suite("Metrics of a sync engine")
struct SyncSignpostsTests {
  private let test = TestSignposter(category: SyncSignposts.category)

  @Test("five intervals and five events have the names of the table")
  func names() {
    #expect(
      SyncSignposts.Interval.allCases.map(\.name.description)
        == ["FullSync", "HealthCheck", "FlushMutations", "PullChanges", "BootstrapFetch"])
    #expect(
      SyncSignposts.Event.allCases.map(\.name.description)
        == ["RateLimitHit", "RetryAttempt", "CircuitBreakerTrip", "SyncSuccess", "SyncFailure"])
  }

  @Test("a run's records come in order, under the category of the engine")
  func run() {
    let metrics = SyncSignposts(test.make())
    let run = metrics.begin(.fullSync)
    let probe = metrics.begin(.healthCheck)
    test.advance(by: .milliseconds(20))
    metrics.end(.healthCheck, probe)
    metrics.recordRetry(count: 0)
    metrics.recordRetry(count: 3)
    metrics.record(.rateLimitHit, message: "30 s")
    metrics.record(.failure)
    metrics.end(.fullSync, run, message: "skipped")
    #expect(
      test.story == [
        "HealthCheck 20.0", "RetryAttempt x3", "RateLimitHit x1 (30 s)", "SyncFailure x1",
        "FullSync 20.0 (skipped)",
      ])
    #expect(test.records.allSatisfy { $0.category == "SyncEngine" })
  }

  @Test("every interval begins and ends under one name")
  func pairs() {
    let metrics = SyncSignposts(test.make())
    for interval in SyncSignposts.Interval.allCases { metrics.end(interval, metrics.begin(interval)) }
    #expect(metrics.signposter.misuses == 0)
  }
}
