import Codecs
import Platform
import TestSupport
import Testing

@testable import EngineScreens
@testable import Sync

/// Compares each claim of a sentence with the records before its moment, and with the run after it.
@Suite("The sentence of the sync engine says what is recorded, and what then happens")
struct SyncSentenceTruthTests {
  private static let moments = trials(12, long: 60)

  @Test("in every scenario", arguments: SyncFixture.stories)
  func story(name: String) throws { Self.check(try PlayedSync.story(name)) }

  @Test("in random ones", arguments: 0..<UInt64(trials(24, long: 400)))
  func random(seed: UInt64) throws { Self.check(try PlayedSync.random(seed: seed)) }

  @Test("a change that was rewritten after a conflict is told as such")
  func rewritten() throws {
    let course = try PlayedSync.story("conflicting-edits")
    let now = Timestamp(try #require(course.entries.first).time + 62)
    let text = EngineSentence(of: course.log.state(of: 0, at: now), at: now, zone: .utc).wordings[0]
    #expect(text.hasPrefix("1 change waits for 4") && text.contains("s, rewritten after a conflict; "))
  }

  @Test("a device that sleeps is told, and until when")
  func asleep() throws {
    let course = try PlayedSync.story("clock-jump")
    #expect(!course.sleeps.isEmpty)
    for sleep in course.sleeps {
      let now = Timestamp((sleep.lowerBound + sleep.upperBound) / 2)
      let state = course.log.state(of: 0, at: now)
      #expect(state.sleep(at: now)?.upperBound == Timestamp(sleep.upperBound))
      let text = EngineSentence(of: state, at: now, zone: .utc).wordings[0]
      #expect(text.hasPrefix("The device is asleep since ") && !text.contains("may have ended"))
    }
  }

  private static func check(_ course: PlayedSync) {
    guard let first = course.entries.first?.time, let end = course.entries.last?.time, end > first else {
      return
    }
    var random = SeededGenerator(seed: 51)
    for _ in 0..<moments {
      let now = Double.random(in: first..<end, using: &random)
      if course.isUnknown(at: now) { continue }
      let state = course.log.state(of: 0, at: Timestamp(now))
      let text = EngineSentence(of: state, at: Timestamp(now), zone: .utc).wordings[0]
      for wrong in SyncClaims(text, of: course, at: now).contradictions {
        Issue.record("\(course.name) at \(now - first): \(text): \(wrong)")
      }
    }
  }
}

/// The claims of one sentence.
private struct SyncClaims {
  private let text: String
  private let course: PlayedSync
  private let now: Double
  private let before: SyncLedger
  private let rest: ArraySlice<PlayedSync.Entry>

  init(_ text: String, of course: PlayedSync, at now: Double) {
    (self.text, self.course, self.now) = (text, course, now)
    let place = course.entries.firstIndex { $0.time > now } ?? course.entries.endIndex
    before = SyncLedger(course.entries[..<place])
    rest = course.entries[place...]
  }

  var contradictions: [String] { [counts, failures, limits, call, next].compactMap(\.self) }

  /// The groups of a pattern in the sentence; a group that does not take part is empty.
  private func match(_ pattern: String) -> [String]? {
    guard let regex = try? Regex(pattern), let match = text.firstMatch(of: regex) else { return nil }
    return match.output.map { $0.substring.map(String.init) ?? "" }
  }

  private func time(_ time: Double) -> String { ClockZone.utc.moment(Timestamp(time), now: Timestamp(now)) }

  /// The seconds of `38ms`, `4.1s`, `50m15s`, and half of their last digit.
  private static func seconds(_ text: String) -> (value: Double, slack: Double) {
    if text.hasSuffix("ms") { return ((Double(text.dropLast(2)) ?? 0) / 1000, 0.001) }
    if text.contains("h") { return (0, .infinity) }
    let parts = text.split(separator: "m").map { Double($0.filter { $0 != "s" }) ?? 0 }
    let value = text.contains("m") ? parts[0] * 60 + (parts.count > 1 ? parts[1] : 0) : parts[0]
    return (value, text.contains(".") ? 0.051 : 0.501)
  }

  // MARK: The records before

  private var counts: String? {
    let waiting = before.waiting.values
    if text.contains("nothing waits"), !waiting.isEmpty { return "\(waiting.count) wait" }
    if let told = match(#"([\d,]+) changes? waits?(?: for|, the oldest for) (\d[\dmsh.]*[a-z])"#) {
      if told[1] != "\(waiting.count)" { return "\(waiting.count) wait" }
      let oldest = DurationFormat.text(now - (waiting.map(\.since).min() ?? now))
      if told[2] != oldest { return "the oldest for \(oldest)" }
    }
    let numbers = [
      (#"(\d+) changes? (?:was|were) dropped"#, before.dead.count),
      (#"(\d+) (?:changes?|of the waiting changes) (?:is|are) refused"#, before.refused),
      (
        #"(\d+) (?:changes?|of the waiting changes) (?:was|were) sent(?: before)? and not acknowledged"#,
        before.unanswered.count { before.waiting[$0]?.change.attempts == 0 }
      ),
    ]
    for (pattern, number) in numbers {
      if let told = match(pattern), told[1] != "\(number)" { return "\(number), not \(told[1]): \(pattern)" }
    }
    return nil
  }

  private var failures: String? {
    let words: [(String, [SyncError.Code])] = [
      ("found no connection", [.noConnection]), ("got no answer in time", [.timeout]),
      ("got a login page", [.undecodable]), ("got an unreadable answer", [.undecodable]),
      ("got a server error", [.server]), ("was refused", [.http, .notFound]),
      ("was told to wait", [.rateLimited]), ("was cancelled", [.cancelled]),
      ("found the session expired", [.unauthorized]), ("was denied access", [.forbidden]),
    ]
    let runs = before.runs.filter { $0.run.status != .skipped || $0.run.failure != "cancelled" }
    if let told = match(
      #"the last (?:(\d+) )?(?:probes?|push(?:es)?|runs?) ((?:found|got|was|were) [^;(]*?) \(?since ([\d:]+)"#
    ),
      let codes = words.first(where: { told[2].replacing("were", with: "was").hasPrefix($0.0) })?.1.map(
        \.rawValue)
    {
      let last = runs.suffix(Int(told[1]) ?? 1)
      let wrong = last.first { !codes.contains($0.run.failure ?? "") }
      if let wrong { return "a run ended with \(wrong.run.failure ?? "success")" }
      if let first = last.first, time(first.time) != told[3] { return "since \(time(first.time))" }
    }
    if let told = match(#"the last run succeeded at ([\d:]+)"#) {
      guard let last = runs.last, last.run.status == .success else { return "it did not" }
      if time(last.time) != told[1] { return "at \(time(last.time))" }
    }
    if let told = match(#"ffline since ([\d:]+)"#), before.offline.map(time) != told[1] {
      return "offline since \(before.offline.map(time) ?? "never")"
    }
    return nil
  }

  private var limits: String? {
    guard let told = match(#"the breaker is open for (\S+?) more"#) else { return nil }
    guard let until = before.breaker?.until else { return "it is not open" }
    return DurationFormat.text(until - now) == told[1] ? nil : "for \(until - now) more"
  }

  /// The claims about the active run and its call.
  private var call: String? {
    let isActive = ["Probing", "Syncing:", "Trying again", "Not syncing yet"].contains { text.hasPrefix($0) }
    if isActive != before.isActive, !text.contains("may have ended") {
      return before.isActive ? "a run is active" : "no run is active"
    }
    guard isActive, !text.contains("fetching everything") else { return nil }
    let wait = now - before.called
    guard let told = match(#"has not answered .*? for (\S+?), (timeout in (\S+?);|longer)"#) else {
      return wait > 5.5 ? "nothing has happened for \(wait) s" : nil
    }
    if DurationFormat.text(wait) != told[1] { return "the call began \(wait) s ago" }
    guard !told[3].isEmpty, course.sleeps.isEmpty else { return nil }
    let (left, slack) = Self.seconds(told[3])
    let answer = rest.first { entry in
      guard case .transition(let decision) = entry.record else { return false }
      return decision.isStep || decision.sequence == 1
    }
    return answer.map { $0.time > now + left + slack } ?? false ? "it took longer" : nil
  }

  // MARK: The run after

  private typealias Begun = (time: Double, trigger: String, place: Int)

  /// The next run, and when something comes from outside that may change what was to be.
  private var coming: (run: Begun?, outside: Double) {
    var outside = (course.sleeps.map(\.lowerBound) + course.cuts).filter { $0 >= now }.min() ?? .infinity
    for (place, entry) in zip(rest.indices, rest) {
      switch entry.record {
      case .transition(let decision):
        if decision.isCommand || decision.sequence == 1 { outside = min(outside, entry.time) }
        if decision.event == "syncRequested", !decision.refused {
          return ((entry.time, decision.trigger ?? "", place), outside)
        }
      case .mutation, .fault, .network, .configuration: outside = min(outside, entry.time)
      default: break
      }
    }
    return (nil, outside)
  }

  private var next: String? {
    guard !before.isActive else { return nil }
    let (run, outside) = coming
    let isOwn = run.map { ["retry", "queue", "backoff"].contains($0.trigger) } ?? false
    let pattern =
      #"(next try|next run|the app asks again) in (\d[\dmsh.]*[a-z])(, and what waits is left out)?"#
    guard let told = match(pattern) else {
      let isNone =
        match("when the app asks|no sync is scheduled|when the network is back") != nil
        || text.hasPrefix("In sync")
      guard isNone, let run, isOwn, run.time < outside else { return nil }
      return "a run begins in \(run.time - now) s (\(run.trigger))"
    }
    let (value, slack) = Self.seconds(told[2])
    let claimed = now + value
    if let run, run.time < min(claimed - slack, outside) {
      let isAnnounced = before.asks.map { abs($0 - run.time) < 0.01 } ?? false
      return isOwn || isAnnounced ? "a run begins in \(run.time - now) s (\(run.trigger))" : nil
    }
    guard claimed + slack < min(outside, course.entries.last?.time ?? now) else { return nil }
    guard let run, run.time <= claimed + slack else {
      return "no run then, but in \(run.map { $0.time - now } ?? -1) s"
    }
    if told[1] != "the app asks again", !isOwn, run.trigger != "app" { return "by \(run.trigger)" }
    return sending(in: run, isLeftOut: !told[3].isEmpty)
  }

  /// The claim that a run sends something of what waits, or leaves it out.
  private func sending(in run: Begun, isLeftOut: Bool) -> String? {
    guard !before.waiting.isEmpty, !course.isSkewed else { return nil }
    for entry in rest[run.place...] {
      switch entry.record {
      case .mutation(let change) where change.state == .sent && before.waiting[change.id] != nil:
        return isLeftOut ? "\(change.operation) \(change.kind) is sent" : nil
      case .transition(let decision) where decision.event == "pushFinished":
        // The parents of new changes are not recorded before a run.
        let isKnown = before.waiting.values.allSatisfy { $0.since < before.begun }
        return isLeftOut || !isKnown ? nil : "nothing of what waits is sent"
      case .run: return nil
      default: break
      }
    }
    return nil
  }
}
