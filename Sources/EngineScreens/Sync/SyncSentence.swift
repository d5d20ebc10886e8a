package import Codecs
import Essentials
package import Platform
import Sync

extension EngineSentence {
  /// A sync engine's activity and the reason it does not sync: a pure function of its record and of the moment.
  ///
  /// The first match of: a sleeping device, an active run, a lost session, an open breaker, no network, failing runs, changes that were
  /// abandoned, refused or blocked by others, waiting changes, an idle engine. Further problems follow at the end.
  ///
  /// - Parameters:
  ///   - state: The known state of the engine.
  ///   - now: The moment the sentence describes.
  ///   - zone: The time zone of times.
  package init(of state: EngineState, at now: Timestamp, zone: ClockZone) {
    let words = SyncSentenceWords(state: state, now: now, zone: zone)
    self =
      words.asleep ?? words.activity ?? words.session ?? words.limit ?? words.connection ?? words.failure
      ?? words.rest
  }
}

/// The parts of the sentence.
private struct SyncSentenceWords: EngineWords {
  let state: EngineState
  let now: Timestamp
  let zone: ClockZone

  // MARK: A run

  var asleep: EngineSentence? {
    asleep(
      state.sleep(at: now), state.pending > 0 ? .waiting : .idle,
      ("\(queueAfterTrouble)\(besides)", shortQueue))
  }

  /// Seconds without an entry after which the engine counts as waiting for an answer.
  private static let slow = 5.0
  /// Maximum delay of the engine's own steps, in seconds, before it counts as gone.
  private static let overdue = 30.0

  /// A run is active.
  var activity: EngineSentence? {
    guard let phase = state.phase, let last = state.lastTime else { return nil }
    let silence = max(0, now - last)
    // The requests of a bootstrap are not recorded one by one.
    let isWhole = phase == .bootstrapping
    let deadline =
      (isWhole ? state.configuration.runDeadline : state.configuration.callDeadline) / .seconds(1)
    if silence > deadline + Self.overdue {
      return EngineSentence(
        .stuck,
        "Not syncing: a run is active, but nothing was recorded since \(moment(last)): the app may have ended; "
          + "\(queueAfterTrouble)\(besides).",
        "Nothing recorded since \(moment(last)) in a run: the app may have ended; \(shortQueue).",
        "Silent since \(moment(last)); \(shortQueue).")
    }
    let step = step(phase)
    let wait = state.calledSince.map { max(0, now - $0) } ?? silence
    if wait > Self.slow, !isWhole {
      let left =
        wait < deadline
        ? "timeout in \(duration(deadline - wait))"
        : "longer than a request may take (\(duration(deadline)))"
      return EngineSentence(
        .waiting,
        "Not syncing yet: the server has not answered \(step.call) for \(duration(wait)), \(left); "
          + "\(queueAfterTrouble).",
        "No answer to \(step.call) for \(duration(wait)), \(left); \(shortQueue).",
        "No answer for \(duration(wait)); \(shortQueue).")
    }
    guard let trouble = state.trouble else {
      return EngineSentence(.good, "\(step.now)\(besides).", "\(step.now).", step.short)
    }
    return EngineSentence(
      .waiting, "Trying again\(afterTrouble): \(step.then); \(queue)\(besides).",
      "Trying again after \(failures(trouble)): \(step.then); \(shortQueue).", "Trying again: \(shortQueue).")
  }

  private func step(_ phase: SyncStateMachine.ActiveRun.Phase) -> (
    now: String, then: String, short: String, call: String
  ) {
    switch phase {
    case .probing:
      return ("Probing the server; \(queue)", "probing the server", "Probing; \(shortQueue).", "the probe")
    case .pushing:
      let last = state.transitions.last?.value
      let done =
        last?.synced.flatMap { synced in last?.total.map { "\(synced) of \($0) changes" } } ?? "changes"
      return ("Syncing: pushing, \(done) done", "pushing, \(done) done", "Pushing: \(done).", "a push")
    case .pulling:
      return (
        "Syncing: fetching what others have changed; \(queue)", "fetching changes",
        "Fetching; \(shortQueue).",
        "the request for changes"
      )
    case .bootstrapping:
      let wait = state.calledSince.map { now - $0 } ?? 0
      let since = wait > Self.slow ? " for \(duration(wait))" : ""
      return (
        "Syncing: fetching everything\(state.hasFetched ? " again" : "")\(since); \(queue)",
        "fetching everything\(since)",
        "Fetching all; \(shortQueue).", "the request for a list"
      )
    }
  }

  /// ` after the last 5 probes got a login page (since 14:32:07)`.
  private var afterTrouble: String {
    state.trouble.map { " after \(failures($0)) (since \(moment($0.since)))" } ?? ""
  }

  private var queueAfterTrouble: String {
    afterTrouble.isEmpty ? queue : "\(queue),\(afterTrouble)"
  }

  // MARK: Why do runs fail?

  /// The server does not accept the session.
  var session: EngineSentence? {
    guard let trouble = state.trouble, let code = trouble.last.value.failure,
      [SyncError.Code.unauthorized, .forbidden].contains(where: { $0.rawValue == code })
    else { return nil }
    let isExpired = code == SyncError.Code.unauthorized.rawValue
    let what = isExpired ? "the session has expired" : "the server denies access"
    let action = isExpired ? "sign in again" : "check the account"
    return EngineSentence(
      .stuck,
      "Not syncing: \(what) since \(moment(trouble.since))\(answer(trouble)); \(queue); "
        + "\(action); \(next)\(besides).",
      "Not syncing: \(what) since \(moment(trouble.since))\(answer(trouble)); \(shortQueue); \(action).",
      "Not syncing: \(what), \(action); \(shortQueue).")
  }

  /// The breaker is open.
  var limit: EngineSentence? {
    guard state.isBreakerOpen(at: now), let breaker = state.breaker?.value else { return nil }
    let since = state.limitedSince.map { " since \(moment($0))" } ?? ""
    let left = state.openUntil.map { duration($0 - now) } ?? "?"
    return EngineSentence(
      .waiting,
      "Not syncing: the server answers 429 (too many requests)\(since), the breaker is open for \(left) more; \(queue); "
        + "\(next)\(besides).",
      "Rate limited (429)\(since): breaker open for \(left) more; \(shortQueue); \(next).",
      "429, breaker \(breaker.consecutive)/\(breaker.threshold) open \(left); \(shortQueue).")
  }

  /// There is no network.
  var connection: EngineSentence? {
    guard state.isOffline else { return nil }
    let since = state.offlineSince.map { " since \(moment($0))" } ?? ""
    return EngineSentence(
      state.pending > 0 ? .stuck : .idle,
      "\(state.pending > 0 ? "Not syncing: o" : "O")ffline\(since); \(queue); \(whenBack)\(besides).",
      "Offline\(since); \(shortQueue); \(whenBack).", "Offline; \(shortQueue).")
  }

  /// The next try of an engine without a network; the rules refuse it while the breaker is open, or before the end of
  /// Retry-After.
  private var whenBack: String {
    let hold = [state.isBreakerOpen(at: now) ? state.openUntil : nil, state.limit].compactMap(\.self).max()
    let earliest = hold.flatMap { $0 > now ? ", in \(duration($0 - now)) at the earliest" : nil } ?? ""
    return "next try when the network is back\(earliest)"
  }

  /// The last runs failed.
  var failure: EngineSentence? {
    guard let trouble = state.trouble else { return nil }
    let mood: EngineSentence.Mood = nextTry == nil ? .stuck : .waiting
    let isWaiting = state.pending > 0
    let effect = isWaiting ? queue : "nothing waits, but nothing is fetched"
    return EngineSentence(
      mood,
      "Not syncing: \(effect); \(failures(trouble)) since \(moment(trouble.since))\(answer(trouble)); \(next)\(besides).",
      "Not syncing: \(shortQueue); \(failures(trouble))\(answer(trouble)); \(next).",
      "Not syncing: \(shortQueue); \(failures(trouble)); \(next).",
      "\(shortQueue); \(failures(trouble)).")
  }

  /// `the last 5 probes got a login page`.
  private func failures(_ trouble: EngineState.Trouble) -> String {
    let decision = trouble.last.value
    // A 429 may have answered any call: the state before tells which.
    let isLimit = decision.event == SyncEvent.Kind.rateLimited.rawValue
    let isPush =
      decision.event == SyncEvent.Kind.pushInterrupted.rawValue
      || isLimit && decision.from == SyncState.Kind.syncing.rawValue
    // A push with answers did not fail as a whole.
    let isRun = isPush && trouble.count > 1 && trouble.hasAnswers
    let isProbe =
      decision.event == SyncEvent.Kind.probeFailed.rawValue
      || isLimit && !isPush && decision.from != SyncState.Kind.pulling.rawValue
    let (one, many) =
      isProbe ? ("probe", "probes") : isPush && !isRun ? ("push", "pushes") : ("run", "runs")
    // A run goes on after the first answers 429.
    let count = isLimit ? max(trouble.count, state.limits) : trouble.count
    let subject = count == 1 ? "the last \(one)" : "the last \(NumberFormat.count(count)) \(many)"
    let result = result(decision, isRun: !isProbe && !isPush)
    let isMany = count > 1 && result.hasPrefix("was ")
    return "\(subject) \(isMany ? "were" + result.dropFirst(3) : result)"
  }

  private func result(_ decision: SyncTransition, isRun: Bool) -> String {
    switch decision.failure.flatMap(SyncError.Code.init) {
    case .noConnection: "found no connection"
    case .timeout: "got no answer in time"
    case .undecodable: title(decision) == nil ? "got an unreadable answer" : "got a login page"
    case .server: "got a server error"
    case .http, .notFound: "was refused"
    case .store: "failed in the local store"
    case .storeUnavailable: "could not open the local store"
    case .storeInUse: "found the local store in use"
    case .cursorStuck: "got a cursor that does not advance"
    case .rateLimited: "was told to wait (429)"
    case .unauthorized: "found the session expired"
    case .forbidden: "was denied access"
    case .cancelled: "was cancelled"
    default: isRun ? "failed" : "did not succeed"
    }
  }

  /// ` (HTTP 503: down for maintenance)`: the answer in the server's own words.
  private func answer(_ trouble: EngineState.Trouble) -> String {
    let decision = trouble.last.value
    let isTold = decision.failure == SyncError.Code.rateLimited.rawValue
    let status = isTold ? nil : decision.httpStatus.map { "HTTP \($0)" }
    let words = title(decision) ?? detail(decision.reason)
    let parts = [status, words].compactMap(\.self).filter { !$0.isEmpty }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ": ")))"
  }

  /// The title of a web page returned instead of an answer.
  private func title(_ decision: SyncTransition) -> String? {
    guard let reason = decision.reason, let begin = reason.firstRange(of: "<title>"),
      let end = reason[begin.upperBound...].firstIndex(of: "<")
    else { return nil }
    return "\u{201C}\(Self.short(String(reason[begin.upperBound..<end])))\u{201D}"
  }

  /// The server's message, after the description of the failure.
  private func detail(_ reason: String?) -> String? {
    guard let reason else { return nil }
    let parts = reason.split(separator: ": ", maxSplits: 1)
    return parts.count == 2 ? Self.short(String(parts[1])) : nil
  }

  // MARK: Single changes

  /// The state of single changes while runs succeed, or of changes that merely wait.
  var rest: EngineSentence {
    troubles.first?.sentence ?? waiting ?? quiet
  }

  /// `; besides, 2 changes were dropped`.
  private var besides: String {
    troubles.first.map { "; \($0.besides ?? "besides, \($0.words)")" } ?? ""
  }

  /// Changes with a problem: the problem, the whole sentence, and the words after the number of changes that wait if
  /// these are among them.
  private typealias Problem = (words: String, sentence: EngineSentence, besides: String?)

  /// `2 of the waiting changes were`.
  private func among(_ count: Int, _ one: String, _ many: String) -> String {
    guard count < state.pending else {
      return count == 1 ? "the waiting change \(one)" : "all waiting changes \(many)"
    }
    return "\(NumberFormat.count(count)) of the waiting changes \(count == 1 ? one : many)"
  }

  private var troubles: [Problem] {
    [blocked, dead, refused, putOff].compactMap(\.self)
  }

  /// Changes blocked by the create of another entity.
  private var blocked: Problem? {
    guard let parent = state.queue.lazy.compactMap(state.parent).first else { return nil }
    let waiting = state.queue.filter { state.parent(of: $0) == parent }
    let create = state.dead.first {
      "\($0.kind) \($0.entity)" == parent && $0.operation == Mutation.Operation.create.rawValue
    }
    let count = EngineFormatter.count(waiting.count, "change")
    let waits = waiting.count == 1 ? "waits" : "wait"
    let short = Self.shortName(parent)
    guard let create else {
      let sent = state.queue.first {
        "\($0.kind) \($0.entity)" == parent && $0.operation == Mutation.Operation.create.rawValue
      }
      let why = sent?.lastError.map { ": \(Self.short($0))" } ?? ""
      let words = "\(count) \(waits) for \(short), which the server has not accepted yet\(why)"
      return (
        words,
        EngineSentence(
          .waiting, "\(queue): \(words); \(next).", "\(words); \(next).", "\(count) \(waits) for \(short)."),
        nil
      )
    }
    let why = create.lastError.map { ": \(Self.short($0))" } ?? ""
    let words = "\(count) \(waits) for \(short), whose create was dropped\(why)"
    return (
      words,
      EngineSentence(
        .stuck,
        "Not syncing all: \(words). Sync resumes once that is queued again or discarded\(more(state.dead.count - 1)).",
        "Not syncing all: \(words).", "\(count) \(waits) for \(short), dropped.", "\(count) blocked."),
      nil
    )
  }

  /// Abandoned changes.
  private var dead: Problem? {
    guard let last = state.dead.last else { return nil }
    let count = EngineFormatter.count(state.dead.count, "change")
    let were = state.dead.count == 1 ? "was" : "were"
    let why = last.lastError.map { ": \(Self.short($0))" } ?? ""
    let what = "\(last.operation) \(last.kind)"
    let words =
      "\(count) \(were) dropped after \(EngineFormatter.count(last.attempts, "attempt")), the last one \(what)\(why)"
    let others = state.pending > 0 ? "\(queue); \(next)" : "nothing else waits"
    return (
      words,
      EngineSentence(
        .stuck, "Not syncing all: \(words); queue it again or discard it; \(others).",
        "Not syncing all: \(count) \(were) dropped: \(what)\(why); \(shortQueue).",
        "\(count) dropped\(why); queue it again or discard it.", "\(count) dropped\(why).",
        "\(count) dropped; \(shortQueue)."),
      nil
    )
  }

  /// Changes refused by the server that still have attempts left.
  private var refused: Problem? {
    let refused = state.queue.filter { $0.attempts > 0 }
    guard let worst = refused.max(by: { $0.attempts < $1.attempts }) else { return nil }
    let count = EngineFormatter.count(refused.count, "change")
    let isAre = refused.count == 1 ? "is" : "are"
    let most = state.configuration.attempts
    let why = worst.lastError.map { ": \(Self.short($0))" } ?? ""
    let what = "\(worst.operation) \(worst.kind)"
    let times = "refused, \(what) \(worst.attempts) of \(most) times\(why)"
    let words = "\(count) \(isAre) \(times)"
    return (
      words,
      EngineSentence(
        .waiting, "Not syncing all: \(words)\(others(refused.count)); \(next).",
        "\(count) refused: \(what) \(worst.attempts) of \(most) times\(why); \(next).",
        "\(count) refused\(why); \(next).", "\(count) refused\(why).", "\(count) refused; \(next)."),
      "\(among(refused.count, "is", "are")) \(times)"
    )
  }

  /// Changes whose request ended in a way that does not count as an attempt.
  private var putOff: Problem? {
    let failed = state.queue.filter { $0.attempts == 0 && state.unanswered[$0.id] != nil }
    let ends = failed.compactMap { state.unanswered[$0.id] }
    guard let end = ends.max(by: { $0.time < $1.time }) else { return nil }
    let count = EngineFormatter.count(failed.count, "change")
    let why = Self.short(end.reason)
    let isTold = state.trouble?.last.value.reason == end.reason
    let isMixed = ends.contains { $0.reason != end.reason }
    // Those under way now are not among them.
    let before = state.phase == .pushing ? " before" : ""
    let result =
      isTold && !isMixed && end.isLimit
      ? "told to wait (429)"
      : "sent\(before) and not acknowledged" + (isTold ? "" : "\(isMixed ? ", last" : ""): \(why)")
    let words = "\(count) \(failed.count == 1 ? "was" : "were") \(result)"
    let isAll = failed.count >= state.pending
    let what =
      isAll
      ? "Not syncing: \(queue); sending \(failed.count == 1 ? "it" : "them") ended with: \(why)"
      : "Not syncing all: \(words); \(queue)"
    return (
      words,
      EngineSentence(
        .waiting, "\(what); \(next).", "\(words); \(next).", "\(count) not acknowledged: \(why).",
        "\(count) not acknowledged; \(next)."),
      "\(among(failed.count, "was", "were")) \(result)"
    )
  }

  // MARK: All is well

  private var waiting: EngineSentence? {
    guard state.pending > 0 else { return nil }
    guard nextTry != nil else {
      guard state.tellsNextTry else {
        return EngineSentence(
          .idle, "\(queue); the time of the next try is not recorded.", "\(shortQueue).")
      }
      return EngineSentence(
        .stuck, "Not syncing: \(queue), and no sync is scheduled: the next try comes \(whenAsked).",
        "\(queue); no sync is scheduled.", "\(shortQueue); none scheduled.")
    }
    let isHeld = state.next.cause == .held && next.hasPrefix("next try in")
    let held = isHeld ? ", when \(state.pending == 1 ? "it" : "one of them") may be sent" : ""
    return EngineSentence(.good, "\(queue); \(next)\(held).", "\(shortQueue); \(next).")
  }

  private var quiet: EngineSentence {
    guard let success = state.lastSuccess else {
      return EngineSentence(
        .idle, "Nothing waits; no run has succeeded yet; \(next).", "Nothing waits; \(next).",
        "Nothing waits.")
    }
    let ago = duration(now - success)
    let isLast = state.runs.last?.value.status == .success
    return EngineSentence(
      .good,
      "In sync: nothing waits; the last \(isLast ? "run succeeded" : "successful run ended") at \(moment(success)), "
        + "\(ago) ago\(nextTry == nil ? "" : "; \(next)").",
      "In sync: nothing waits; last \(isLast ? "" : "successful ")run \(ago) ago.", "In sync; nothing waits.")
  }

  // MARK: Pieces

  /// `5 changes wait, the oldest for 1m1s`.
  private var queue: String {
    guard state.pending > 0 else { return "nothing waits" }
    let oldest = state.waiting.values.min().map {
      state.pending == 1 ? " for \(duration(now - $0))" : ", the oldest for \(duration(now - $0))"
    }
    let count = state.queue.count { $0.rewritten == true }
    let which = state.pending == 1 ? "" : "\(NumberFormat.count(count)) of them "
    let rewritten = count > 0 ? ", \(which)rewritten after a conflict" : ""
    return "\(EngineFormatter.count(state.pending, "change")) \(state.pending == 1 ? "waits" : "wait")"
      + "\(oldest ?? "")\(rewritten)"
  }

  /// `; 3 others wait`, if more changes wait than were mentioned.
  private func others(_ told: Int) -> String {
    let others = state.pending - told
    return others > 0 ? "; \(EngineFormatter.count(others, "other")) \(others == 1 ? "waits" : "wait")" : ""
  }

  /// `5 wait`.
  private var shortQueue: String {
    state.pending > 0
      ? "\(NumberFormat.count(state.pending)) \(state.pending == 1 ? "waits" : "wait")" : "nothing waits"
  }

  /// The next attempt, by the engine itself or by the app of a simulation.
  private var nextTry: Timestamp? {
    [state.nextTry(at: now), state.appAsks].compactMap(\.self).min()
  }

  private var next: String {
    guard let nextTry else {
      if state.isOffline { return whenBack }
      return state.tellsNextTry
        ? "the next try comes \(whenAsked)" : "the next try is not recorded"
    }
    let wait = nextTry - now
    // The engine's own plan may be later: the list of possible events shows that one.
    let isAsked = state.appAsks == nextTry && state.nextTry(at: now) != nextTry
    if wait > 0 {
      guard state.pending > 0, leavesOut(nextTry) else {
        let asked = !isAsked && state.next.cause == .retryAfter ? ", as the server asked" : ""
        return "\(isAsked ? "the app asks again" : "next try") in \(duration(wait))\(asked)"
      }
      let due = state.due(at: now).map { "due in \(duration($0 - now))" } ?? "blocked"
      return "\(isAsked ? "the app asks again" : "next run") in \(duration(wait)), "
        + "and what waits is left out (\(due))"
    }
    return -wait > Self.overdue
      ? "the next try was due at \(moment(nextTry)) and nothing was recorded since: the app may have ended"
      : "the next try is due"
  }

  /// Without a plan of its own, an engine runs for the app, and for a change if the rules let it.
  private var whenAsked: String {
    state.configuration.queueDelay == nil
      ? "when the app asks for it" : "with the next change, or when the app asks"
  }

  /// True if a run at that time sends nothing of what waits.
  private func leavesOut(_ time: Timestamp) -> Bool {
    // The probe comes first; waits in the record are rounded.
    let probe = (state.intervals["HealthCheck"]?.last ?? 0) / 1000
    return state.due(at: now).map { $0 > time + probe + 0.01 } ?? true
  }

  private func more(_ count: Int) -> String {
    count > 0
      ? "; \(EngineFormatter.count(count, "other change")) \(count == 1 ? "was" : "were") dropped" : ""
  }

  /// The kind and the end of the id, which distinguishes ids.
  private static func shortName(_ parent: String) -> String {
    let parts = parent.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return parent }
    return parts[1].count > 13 ? "\(parts[0]) \u{2026}\(parts[1].suffix(5))" : parent
  }
}
