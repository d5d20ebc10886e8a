import Codecs
import DeliveryCore
import DeliverySimulation
import Foundation
import MisterMetricsCore
import Platform
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("The sentence of the Delivery screen")
struct DeliverySentenceTests {
  /// A moment of a scenario, and what is said of the client then, from the longest to the shortest wording.
  struct Row: Sendable, CustomStringConvertible {
    let name: String
    let seconds: Double
    let mood: EngineSentence.Mood
    let wordings: [String]

    init(_ name: String, _ seconds: Double, _ mood: EngineSentence.Mood, _ wordings: String...) {
      (self.name, self.seconds, self.mood, self.wordings) = (name, seconds, mood, wordings)
    }

    var description: String { "\(name) after \(seconds) s" }
  }

  private static let table: [Row] = [
    Row(
      "ordinary-evening", 0.5, .good,
      "Delivering: 2 events wait (oldest 500ms), all on disk; next flush 18:00:10.0, in 9.5s, or "
        + "20 events after the last flush.",
      "Delivering: 2 wait; next flush by 18:00:10.0.",
      "2 wait; try by 18:00:10.0."),
    Row(
      "ordinary-evening", 65, .good,
      "Delivering: 1 event waits (oldest 4.6s), on disk; next flush 18:01:10.0, in 5s, or 20 "
        + "events after the last flush. The last 4 events went 4.9s ago.",
      "Delivering: 1 waits; next flush by 18:01:10.0.",
      "1 waits; try by 18:01:10.0."),
    Row(
      "ordinary-evening", 70.05, .good,
      "Delivering: 3 events on the way for 50ms.",
      "Delivering: 3 events on the way for 50ms.",
      "3 events on the way."),
    Row(
      "ordinary-evening", 115, .good,
      "Delivered: nothing waits; the last event went at 18:01:50, 4.9s ago.",
      "All delivered; last batch 4.9s ago.",
      "All delivered."),
    Row(
      "endpoint-outage", 12.1, .waiting,
      "Not delivering: waiting 1.1s more after two 503s; 6 events wait (oldest 11s), all on disk; next "
        + "try 20:15:13.1.",
      "Waiting 1.1s more after two 503s; 6 wait; next try 20:15:13.1.",
      "Retry in 1.1s; 6 wait; try 20:15:13.1."),
    Row(
      "endpoint-outage", 75, .waiting,
      "Not delivering: breaker open for 16s more after five 503s; 77 events wait (oldest 1m14s), all "
        + "on disk; next try 20:16:31.",
      "Breaker open for 16s more after five 503s; 77 wait; next try 20:16:31.",
      "Breaker open 16s; 77 wait; try 20:16:31."),
    Row(
      "endpoint-outage", 91.3, .waiting,
      "Trying again after five 503s: 93 events on the way for 59ms as the breaker's one probe.",
      "Trying again after five 503s: 93 events on the way for 59ms.",
      "Try 6: 93 events on the way."),
    Row(
      "endpoint-outage", 250, .good,
      "Delivered: nothing waits; the last 15 events went at 20:18:50, 20s ago.",
      "All delivered; last batch 20s ago.",
      "All delivered."),
    Row(
      "come-back-later", 40, .waiting,
      "Not delivering: the endpoint answered 429 and asked for a pause of 30s, 23s more; 29 events "
        + "wait (oldest 39s), all on disk; next try 21:01:03.",
      "Retry-After: 23s more after two 429s; 29 wait; next try 21:01:03.",
      "Retry-After 23s; 29 wait; try 21:01:03."),
    Row(
      "come-back-later", 100, .waiting,
      "Not delivering: the endpoint answered 503 and asked for a pause of 20s, 10s more; 2 events wait "
        + "(oldest 10s), all on disk; next try 21:01:50.",
      "Retry-After: 10s more after a 503; 2 wait; next try 21:01:50.",
      "Retry-After 10s; 2 wait; try 21:01:50."),
    Row(
      "tunnel", 80, .stuck,
      "Not delivering: offline since 07:41:01 (19s); 83 events wait (oldest 1m19s), all on disk. The "
        + "next try comes 2s after the network is back.",
      "Offline since 07:41:01 (19s); 83 wait; next try when it is back.",
      "Offline; 83 wait."),
    Row(
      "tunnel", 131, .waiting,
      "Not delivering yet: the network came back at 07:42:10 and has to stay for 1s more; 145 events "
        + "wait (oldest 2m10s), all on disk; next try 07:42:12.0.",
      "Network back at 07:42:10; 145 wait; next try 07:42:12.0.",
      "Back; 145 wait; try 07:42:12.0."),
    Row(
      "oversized-batches", 6.2, .good,
      "Delivering: 25 events on the way for 40ms; 85 more on disk; at most 25 events a batch from disk "
        + "since a larger one was refused, doubling up to 100 as they are taken.",
      "Delivering: 25 events on the way for 40ms.",
      "25 events on the way."),
    Row(
      "oversized-batches", 30, .good,
      "Delivered: nothing waits; the last 14 events went at 12:00:07, 22s ago. Batches are smaller: at "
        + "most 48 events a batch from disk since a larger one was refused, doubling up to 100 as they are taken.",
      "All delivered; last batch 22s ago.",
      "All delivered."),
    Row(
      "oversized-batches", 46, .good,
      "Delivered: nothing waits; the last 40 events went at 12:00:45, 840ms ago.",
      "All delivered; last batch 840ms ago.",
      "All delivered."),
    Row(
      "revoked-key", 51, .stuck,
      "Not delivering: disabled, because the endpoint answered 401 and does not recognise this client; "
        + "36 events dropped. Check the write key and the host; nothing more is sent until a reset.",
      "Disabled by 401: check write key and host; 36 events dropped; nothing until a reset.",
      "Disabled by 401 until a reset."),
    Row(
      "killed-offline", 15, .stuck,
      "Not delivering: the app has not been running since 06:00:08; 250 events on disk wait for its "
        + "next start. 4 events were dropped with the process, before they were on disk.",
      "App not running since 06:00:08; 250 events on disk wait; 4 dropped: killed.",
      "App not running: 250 on disk; 4 dropped."),
    Row(
      "bad-batch", 60, .waiting,
      "Nothing waits; the last batch was answered 422 and was set aside at 15:00:55, 5.0s ago. 28 events "
        + "were set aside, the last after a 422, and can be sent again.",
      "Nothing waits; last batch 422 5.0s ago; 28 set aside (last 422).",
      "Nothing waits; 28 set aside."),
    Row(
      "lost-answers", 25, .waiting,
      "Trying again after a failed attempt (timed out): 16 events on the way for 6s, timeout in 2s; 5 more "
        + "on disk.",
      "Trying again after a failed attempt (timed out): 16 events on the way for 6s.",
      "Try 2: 16 events on the way."),
  ]

  private func state(_ name: String, after seconds: Double) throws -> (state: ClientState, moment: Timestamp)
  {
    let scenario = try DeliveryFixture.scenario(name)
    let moment = scenario.start.addingTimeInterval(seconds)
    let entries = DeliveryFixture.entries(of: scenario).filter { $0.timestamp <= moment }
    return (try DeliveryFixture.state(entries), Timestamp(moment))
  }

  @Test("says what the machine does and why, for each cause", arguments: table)
  func causes(row: Row) throws {
    let (state, moment) = try state(row.name, after: row.seconds)
    let sentence = EngineSentence(of: state, at: moment, zone: .utc)
    #expect(sentence.mood == row.mood && sentence.wordings == row.wordings, "\(sentence.wordings)")
    // Every cause of the machine has a sentence, and it names the machine's own time.
    if let next = state.nextAttempt, !state.isSending {
      let time = ClockZone.utc.time(next)
      #expect(sentence.wordings.allSatisfy { $0.contains(time) })
    }
  }

  @Test("an app's file that ends while a try was due says that nothing came, once it is late")
  func silence() throws {
    let (full, moment) = try state("endpoint-outage", after: 75)
    var state = full
    state.basics.simulation = nil
    let due = try #require(state.nextAttempt)
    let words = EngineSentence(of: state, at: moment, zone: .utc).wordings[0]
    #expect(words.hasPrefix("Not delivering: breaker open for 16s more"))
    #expect(
      EngineSentence(of: state, at: due + 5, zone: .utc).wordings[0]
        == "77 events wait (oldest 1m35s), all on disk; after five 503s the next try was due at 20:16:31, 5s ago."
    )
    #expect(
      EngineSentence(of: state, at: due + 3600, zone: .utc).wordings == [
        "77 events wait (oldest 1h1m), all on disk; the next try was due at 20:16:31, 1h ago, and nothing was recorded since: the app "
          + "may have ended.",
        "Next try was due 20:16:31, nothing recorded since; 77 wait.", "Silent since 20:16:31; 77 wait.",
      ])
  }

  @Test("an app's file that ends while a batch is on its way says so, once its answer is overdue")
  func overdue() throws {
    let (full, moment) = try state("ordinary-evening", after: 70.05)
    var state = full
    state.basics.simulation = nil
    func words(_ seconds: Double) -> String {
      EngineSentence(of: state, at: moment + seconds, zone: .utc).wordings[0]
    }
    #expect(words(20) == "Delivering: 3 events on the way for 20s, longer than a request may take.")
    #expect(
      words(30) == "3 events on the way for 30s; nothing was recorded since: the app may have ended.")
  }

  @Test("an app in the background that failed waits for the foreground")
  func background() throws {
    var scenario = try DeliveryFixture.scenario("ordinary-evening")
    scenario.acts = [
      DeliveryTimedAct(at: .seconds(1), .fault(EndpointFaultSetting(.serverError))),
      DeliveryTimedAct(at: .seconds(2), .event(SimulatedEvent(.track, count: 3))),
      DeliveryTimedAct(at: .seconds(3), .background),
    ]
    scenario.duration = .seconds(60)
    let state = try DeliveryFixture.state(DeliveryFixture.entries(of: scenario))
    let words = EngineSentence(of: state, at: Timestamp(scenario.start) + 30, zone: .utc).wordings
    #expect(
      words[0].hasPrefix(
        "Not delivering: the app is in the background after a 503; 6 events wait (oldest 30s), all on disk."))
    #expect(
      words[0].hasSuffix(
        "The next try comes when it returns to the foreground, or 20 events after the last flush."
      ))
  }

  @Test("events on the way from the disk, where they still are, are not counted twice")
  func fromDisk() throws {
    let entries = try DeliveryFixture.entries("killed-offline")
    let queues = try entries.filter { $0.metric == AnyMetric(DeliveryMetrics.queue) }
      .map { (Timestamp($0.timestamp), try $0.decode(DeliveryQueue.self)) }
    let first = try #require(queues.first { $0.1.disk == 250 && $0.1.inFlight == 100 })
    let state = try DeliveryFixture.state(entries.filter { Timestamp($0.timestamp) <= first.0 })
    let words = EngineSentence(of: state, at: first.0, zone: .utc).wordings[0]
    #expect(
      words.contains("100 events on the way for 0ms; ") && words.contains("150 more on disk"), "\(words)")
  }

  @Test("a breaker is not told of once its process has ended")
  func ended() throws {
    var (state, moment) = try state("endpoint-outage", after: 75)
    #expect(state.isBreakerOpen(at: moment))
    state.basics.simulation = nil
    state.endedAt = moment
    #expect(!state.isBreakerOpen(at: moment))
  }

  @Test("an entry stands until the last one of its step, however late an app records it")
  func settled() throws {
    let entries = try DeliveryFixture.entries("endpoint-outage")
    let place = try #require(entries.firstIndex { $0.metric == AnyMetric(DeliveryMetrics.batch) })
    let late =
      entries[...place]
      + entries[(place + 1)...].prefix { $0.timestamp == entries[place].timestamp }.map { entry in
        MetricEntry(
          timestamp: entry.timestamp.addingTimeInterval(0.0003), metric: entry.metric, value: entry.value)
      }
    let state = try DeliveryFixture.state(late)
    let happening = try #require(
      state.timeline.list.last { if case .batch = $0.entry { true } else { false } })
    #expect(happening.settled - happening.time > 0.0002)
  }

  @Test("before anything was sent, and while the client is not ready, it says so")
  func notReady() {
    var state = ClientState()
    state.basics.lastTime = Timestamp(100)
    func words() -> String { EngineSentence(of: state, at: Timestamp(100), zone: .utc).wordings[0] }
    #expect(words() == "Nothing to deliver: no events are queued, and none have been sent yet.")
    state.lifecycle = .initializing
    #expect(words() == "Not delivering yet: the client is initializing; calls wait until it is ready.")
    state.lifecycle = .resetting
    #expect(words() == "Not delivering: the client is being reset; calls wait until it is initialized again.")
    state.lifecycle = .idle
    #expect(
      words() == "Not delivering: the client is not initialized; calls wait until the app initializes it.")
    state.endedAt = Timestamp(90)
    #expect(words().hasPrefix("Nothing is sent: the app has not been running since"))
  }

  @Test("of failures in a row it tells how many, and what they were where they were all the same")
  func failures() {
    func text(_ count: Int, _ reason: String?, last: String = "503") -> String {
      DeliveryFormatter.failures(ClientState.Failures(count: count, reason: reason, last: last))
    }
    #expect(
      text(1, "503") == "a 503" && text(3, "503") == "three 503s"
        && text(14, "503") == "14 failed attempts (503)")
    #expect(text(2, "timed out", last: "timed out") == "two failed attempts (timed out)")
    #expect(text(2, nil) == "two failed attempts, the last one 503")
    #expect(text(1, nil, last: "unreachable") == "a failed attempt (unreachable)")
  }

  @Test("the longest wording that fits is shown, whole")
  func room() {
    let sentence = EngineSentence(mood: .good, wordings: ["one two three four", "one two", "one"])
    #expect(sentence.lines(width: 40, most: 1) == ["one two three four"])
    #expect(sentence.lines(width: 10, most: 2) == ["one two", "three four"])
    #expect(sentence.lines(width: 10, most: 1) == ["one two"])
    #expect(sentence.lines(width: 3, most: 1) == ["one"])
  }
}
