package import Codecs
import DeliveryCore
package import Platform

extension EngineSentence {
  /// A client's activity and the reason for it: a pure function of its known state and of the moment.
  ///
  /// - Parameters:
  ///   - state: The known state of the client.
  ///   - now: The moment the sentence describes.
  ///   - zone: The time zone of times.
  ///   - seen: The newest loss that the person has seen; `nil` for none.
  package init(of state: ClientState, at now: Timestamp, zone: ClockZone, seen: Timestamp? = nil) {
    let words = SentenceWords(state: state, now: now, zone: zone, seen: seen)
    let sentence =
      words.process ?? words.asleep ?? words.life ?? words.connection ?? words.sending ?? words.wait
      ?? words.rest
    self = [words.losses, words.folder].compactMap(\.self).reduce(sentence) { $0.adding($1) }
  }
}

/// The parts of the sentence.
private struct SentenceWords: EngineWords {
  let state: ClientState
  let now: Timestamp
  let zone: ClockZone
  let seen: Timestamp?

  // MARK: Is there a sender?

  /// No process is running.
  var process: EngineSentence? {
    guard !state.isRunning else { return nil }
    let since = state.endedAt.map { " since \(moment($0))" } ?? ""
    let gone = since.isEmpty ? "is not running" : "has not been running\(since)"
    let disk = state.disk
    guard disk > 0 else {
      return EngineSentence(
        .idle, "Nothing is sent: the app \(gone); no events are on disk.", "App not running.")
    }
    let wait = "\(EngineFormatter.count(disk, "event")) on disk \(disk == 1 ? "waits" : "wait")"
    let old = state.queue?.value.oldestAt.map { now.seconds - $0 > EventAge.maximum } ?? false
    let tooOld = old ? "; \(disk == 1 ? "it" : "the oldest") is too old to be sent" : ""
    return EngineSentence(
      .stuck, "Not delivering: the app \(gone); \(wait) for its next start\(tooOld).",
      "App not running\(since); \(wait).", "App not running: \(NumberFormat.count(disk)) on disk.")
  }

  var asleep: EngineSentence? {
    asleep(state.sleep(at: now), .waiting, (queue, shortQueue))
  }

  /// The client is not ready.
  var life: EngineSentence? {
    switch state.lifecycle {
    case .ready: return nil
    case .disabled: return disabled
    case .initializing:
      return EngineSentence(
        .waiting, "Not delivering yet: the client is initializing; calls wait until it is ready.",
        "Client initializing; calls wait.", "Initializing.")
    case .resetting:
      return EngineSentence(
        .waiting, "Not delivering: the client is being reset; calls wait until it is initialized again.",
        "Client resetting; calls wait.", "Resetting.")
    case .idle:
      return EngineSentence(
        .idle, "Not delivering: the client is not initialized; calls wait until the app initializes it.",
        "Client not initialized; calls wait.", "Not initialized.")
    case nil: return nil
    }
  }

  private var disabled: EngineSentence {
    let answer = state.disabledBy.map { "the endpoint answered \($0) and" } ?? "the endpoint"
    let lost = state.drops[DropCause.disabled.rawValue] ?? 0
    let dropped = lost > 0 ? "; \(EngineFormatter.count(lost, "event")) dropped" : ""
    let status = state.disabledBy.map(String.init) ?? "the endpoint"
    return EngineSentence(
      .stuck,
      "Not delivering: disabled, because \(answer) does not recognise this client\(dropped). Check the write key and the "
        + "host; nothing more is sent until a reset.",
      "Disabled by \(status): check write key and host\(dropped); nothing until a reset.",
      "Disabled by \(status) until a reset.")
  }

  // MARK: Can it send?

  /// There is no network, or it has just returned.
  var connection: EngineSentence? {
    let since = state.networkSince.map { " since \(moment($0)) (\(duration(now - $0)))" } ?? ""
    switch state.network {
    case NetworkName.offline:
      guard state.waiting > 0 || state.isSending else {
        return EngineSentence(
          .stuck, "Not delivering: offline\(since); nothing waits.", "Offline\(since).", "Offline; 0 wait.")
      }
      return EngineSentence(
        .stuck,
        "Not delivering: offline\(since); \(queue). The next try comes \(debounce) after the network is back.",
        "Offline\(since); \(shortQueue); next try when it is back.", "Offline; \(shortQueue).")
    case NetworkName.returning:
      let back = state.networkSince.map { " at \(moment($0))" } ?? ""
      guard let next = state.nextAttempt, state.waiting > 0 else {
        return EngineSentence(
          .waiting,
          "The network came back\(back) and counts once it has stayed for \(debounce); nothing waits.",
          "Network back\(back); nothing waits.", "Network back.")
      }
      return EngineSentence(
        .waiting,
        "Not delivering yet: the network came back\(back) and has to stay for \(duration(next - now)) more; "
          + "\(queue); \(nextTry(next)).",
        "Network back\(back); \(shortQueue); \(nextTry(next)).", "Back; \(shortQueue); \(shortTry(next)).")
    default: return nil
    }
  }

  /// A batch is in flight.
  var sending: EngineSentence? {
    guard state.isSending else { return nil }
    if let due = state.answerDue, now - due > ClientState.timeout {
      return EngineSentence(
        .stuck,
        "\(EngineFormatter.count(state.inFlight, "event")) on the way for \(duration(now - (state.flyingSince ?? due)))"
          + "\(places); nothing was recorded since: the app may have ended.",
        "No answer recorded since \(moment(state.flyingSince ?? due)): the app may have ended.",
        "Silent since \(moment(state.flyingSince ?? due)).")
    }
    var since = state.flyingSince.map { " for \(duration(now - $0))" } ?? ""
    var left = ""
    if let due = state.answerDue, let begun = state.flyingSince {
      // An answer may be recorded a second after the timeout.
      let end = due - 1
      if now > due { since += ", longer than a request may take" }
      if now - begun > Self.slow, end > now { left = ", timeout in \(duration(end - now))" }
    }
    let batch = EngineFormatter.count(state.inFlight, "event")
    let isProbe = state.breaker?.value.isHalfOpen == true
    if state.failures.count > 0 {
      let probe = isProbe ? " as the breaker's one probe" : ""
      return EngineSentence(
        .waiting,
        "Trying again\(afterFailures): \(batch) on the way\(since)\(probe)\(left)\(places).",
        "Trying again\(afterFailures): \(batch) on the way\(since).", "Try \(attempt): \(batch) on the way.")
    }
    // A batch in flight may be larger than the limit that followed.
    let size = state.inFlight > state.batchSize.now ? "" : reducedSize.map { "; \($0)" } ?? ""
    return EngineSentence(
      .good, "Delivering: \(batch) on the way\(since)\(left)\(places)\(size).",
      "Delivering: \(batch) on the way\(since).",
      "\(batch) on the way.")
  }

  /// Seconds after which the timeout of an attempt is told.
  private static let slow = 5.0

  // MARK: What does it wait for?

  /// Maximum delay of an attempt, in seconds, while its entry may still be in transit.
  private static let overdue = 1.5

  /// Events wait, and the record shows until when.
  var wait: EngineSentence? {
    guard state.waiting > 0 else { return nil }
    guard let next = state.nextAttempt else { return unknownWait }
    let left = duration(max(0, next - now))
    // The machine would have sent by then, so the recording process is gone.
    if now - next > ClientState.timeout {
      return EngineSentence(
        .stuck,
        "\(queue); the next try was due at \(moment(next)), \(duration(now - next)) ago, and nothing was recorded since: "
          + "the app may have ended.",
        "Next try was due \(moment(next)), nothing recorded since; \(shortQueue).",
        "Silent since \(moment(next)); \(shortQueue).")
    }
    if now - next > Self.overdue {
      return EngineSentence(
        .waiting,
        "\(queue);\(afterFailures) the next try was due at \(moment(next)), \(duration(now - next)) ago.",
        "Next try was due \(moment(next)); \(shortQueue).", "Due \(moment(next)); \(shortQueue).")
    }
    switch state.queue?.value.nextCause {
    case "breaker":
      return EngineSentence(
        .waiting,
        "Not delivering: breaker open for \(left) more\(afterFailures); \(queue); \(nextTry(next)).",
        "Breaker open for \(left) more\(afterFailures); \(shortQueue); \(nextTry(next)).",
        "Breaker open \(left); \(shortQueue); \(shortTry(next)).")
    case "retryAfter":
      let answer = state.failures.last.isEmpty ? "" : " answered \(state.failures.last) and"
      let asked = state.failures.asked.map { " of \(duration($0))" } ?? ""
      return EngineSentence(
        .waiting,
        "Not delivering: the endpoint\(answer) asked for a pause\(asked), \(left) more; \(queue); "
          + "\(nextTry(next)).",
        "Retry-After: \(left) more\(afterFailures); \(shortQueue); \(nextTry(next)).",
        "Retry-After \(left); \(shortQueue); \(shortTry(next)).")
    case "floor":
      return EngineSentence(
        .waiting,
        "Not delivering: waiting \(left) more\(afterFailures)\(afterRefusals); \(queue); \(nextTry(next)).",
        "Waiting \(left) more\(afterFailures)\(afterRefusals); \(shortQueue); \(nextTry(next)).",
        "Retry in \(left); \(shortQueue); \(shortTry(next)).")
    default: return timer(next, left)
    }
  }

  /// Only the timer, or no obstacle at all, separates the events from the endpoint.
  private func timer(_ next: Timestamp, _ left: String) -> EngineSentence {
    let when = next > now ? "next flush \(exact(next)), in \(left)" : "the next flush is due"
    if let size = reducedSize {
      return EngineSentence(
        .waiting, "Delivering in smaller batches: \(size); \(queue); \(when).",
        "Smaller batches: \(size); \(shortQueue); \(when).",
        "Batches of \(batchNow); \(shortQueue); \(shortTry(next)).")
    }
    let by = next > now ? "next flush by \(exact(next))" : when
    return EngineSentence(
      .good, "Delivering: \(queue); \(when)\(orBefore).\(lastWords)", "Delivering: \(shortQueue); \(by).",
      "\(shortQueue); try by \(exact(next)).")
  }

  /// `; breaker open for 12s more`.
  private var openBreaker: String {
    guard state.isBreakerOpen(at: now), let until = state.openUntil else { return "" }
    return "; breaker open for \(duration(until - now)) more"
  }

  private var unknownWait: EngineSentence {
    guard state.isForeground else {
      return EngineSentence(
        .stuck,
        "Not delivering: the app is in the background\(afterFailures)\(openBreaker); \(queue). The next try comes when it "
          + "returns to the foreground\(openBreaker.isEmpty ? orBefore : "").",
        "In the background\(afterFailures)\(openBreaker); \(shortQueue); next try in the foreground.",
        "Background; \(shortQueue).")
    }
    return EngineSentence(
      .waiting, "\(queue);\(afterFailures) the time of the next try is not recorded.",
      "\(shortQueue)\(afterFailures); next try unknown.", "\(shortQueue); next try unknown.")
  }

  // MARK: No events wait

  var rest: EngineSentence {
    guard let last = state.lastBatch else {
      return EngineSentence(
        .idle, "Nothing to deliver: no events are queued, and none have been sent yet.",
        "Nothing to deliver yet.",
        "Nothing waits.")
    }
    let result = BatchResult(last.value)
    let ago = "\(duration(max(0, now - last.time))) ago"
    guard result == .delivered else {
      return EngineSentence(
        .idle,
        "Nothing waits; the last batch \(DeliveryFormatter.outcome(last.value)) at \(moment(last.time)), \(ago).",
        "Nothing waits; last batch \(DeliveryFormatter.shortOutcome(last.value)) \(ago).", "Nothing waits.")
    }
    let size = reducedSize.map { " Batches are smaller: \($0)." } ?? ""
    return EngineSentence(
      .good,
      "Delivered: nothing waits; the last \(lastEvents(last.value)) went at "
        + "\(moment(last.time)), \(ago).\(size)",
      "\(losses == nil ? "All delivered" : "Nothing waits"); last batch \(ago).",
      losses == nil ? "All delivered." : "Nothing waits.")
  }

  // MARK: What was lost?

  /// The time for which losses are told after the last one even if they were seen, in seconds.
  private static let lossMemory = 600.0

  /// The events dropped or set aside for reasons that no other part of the sentence gives.
  var losses: EngineSentence.Addition? {
    guard let last = state.lastLoss else { return nil }
    let isRecent = now - last < Self.lossMemory
    guard isRecent || seen.map({ $0 < last }) ?? true else { return nil }
    var drops = state.drops.filter { ClientState.isLoss($0.key) && $0.value > 0 }
    // The sentence of a disabled client counts these.
    if state.isRunning, state.lifecycle == .disabled { drops[DropCause.disabled.rawValue] = nil }
    let aside = state.lastRefusal == nil ? nil : drops.removeValue(forKey: DropCause.refused.rawValue)
    guard aside != nil || !drops.isEmpty else { return nil }
    let parts = [dropped(drops), aside.map(setAside)].compactMap(\.self)
    let total = ClientState.sum(drops.values.reduce(0, ClientState.sum), aside ?? 0)
    let when = isRecent ? "" : ", at \(moment(last))\(total == 1 ? "" : " the last time")"
    func joined(_ part: (EngineSentence.Addition) -> String) -> String {
      parts.map(part).joined(separator: "; ")
    }
    return (" \(joined(\.long))\(when).", "; \(joined(\.middle))", "; \(joined(\.short))")
  }

  private func dropped(_ drops: [String: Int]) -> EngineSentence.Addition? {
    guard let main = drops.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
    let total = drops.values.reduce(0, ClientState.sum)
    let isAll = total == main.value
    let count = NumberFormat.count(main.value)
    let short = "\(NumberFormat.count(total)) dropped"
    let name = DropCause(rawValue: main.key).map(DeliveryFormatter.short) ?? main.key
    return (
      "\(EngineFormatter.count(total, "event")) \(total == 1 ? "was" : "were") dropped"
        + "\(isAll ? "" : ", \(count) of them") \(DeliveryFormatter.cause(main.key, of: main.value))",
      short + (isAll ? ": \(name)" : ", \(count) of them: \(name)"), short
    )
  }

  /// Events that the endpoint refused; the app can send them again.
  private func setAside(_ count: Int) -> EngineSentence.Addition {
    let again = state.setAside > 0 ? " and can be sent again" : ""
    let status =
      state.lastRefusal?.status.map { status in
        count == 1 ? " after a \(status)" : ", the last after a \(status)\(again.isEmpty ? "" : ",")"
      } ?? ""
    let short = "\(NumberFormat.count(count)) set aside"
    let last = state.lastRefusal?.status.map { " (\(count == 1 ? "" : "last ")\($0))" } ?? ""
    return (
      "\(EngineFormatter.count(count, "event")) \(count == 1 ? "was" : "were") set aside\(status)\(again)",
      short + last, short
    )
  }

  /// Another client has the folder.
  var folder: EngineSentence.Addition? {
    guard state.isFolderInUse, state.isRunning else { return nil }
    return (
      " Another client uses the folder, so events are kept in memory alone and end with the process.",
      "; not on disk", "; not on disk"
    )
  }

  // MARK: Pieces

  /// `318 events wait (oldest 2m10s), 200 of them on disk`.
  private var queue: String {
    let count = state.waiting
    let oldest = oldestAge.map { age in
      " (oldest \(duration(age))\(age > EventAge.maximum ? ", too old to be sent" : ""))"
    }
    let disk = state.disk
    let place: String
    if disk == 0 {
      place = ""
    } else if disk == count {
      place = count == 1 ? ", on disk" : ", all on disk"
    } else {
      place = ", \(NumberFormat.count(disk)) of them on disk"
    }
    let refusal = state.isDiskFull ? "; the disk takes no more" : ""
    return
      "\(EngineFormatter.count(count, "event")) \(count == 1 ? "waits" : "wait")\(oldest ?? "")\(place)\(refusal)"
  }

  private var oldestAge: Double? {
    state.oldest.map { max(0, now - $0) }
  }

  /// `; 35 in memory, 143 on disk`: the remaining events while a batch is in flight.
  private var places: String {
    // A batch from disk stays there until it is delivered.
    let disk = state.isFromDisk ? max(0, state.disk - state.inFlight) : state.disk
    let parts = [(state.memory, "in memory"), (disk, state.isFromDisk ? "more on disk" : "on disk")]
      .filter { $0.0 > 0 }
    return parts.isEmpty
      ? "" : "; " + parts.map { "\(NumberFormat.count($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  /// The time the network must stay up, from the machine's constants.
  private var debounce: String {
    duration(DeliveryConfiguration().onlineDebounce / .seconds(1))
  }

  /// `318 wait`.
  private var shortQueue: String {
    let age = oldestAge.map { $0 > EventAge.maximum ? ", the oldest too old" : "" } ?? ""
    return "\(NumberFormat.count(state.waiting)) \(state.waiting == 1 ? "waits" : "wait")\(age)"
  }

  private func nextTry(_ next: Timestamp) -> String { "next try \(exact(next))" }
  private func shortTry(_ next: Timestamp) -> String { "try \(exact(next))" }

  /// The time, with tenths of a second if it is near.
  private func exact(_ time: Timestamp) -> String {
    abs(time - now) < 10 ? zone.time(time, .tenths) : moment(time)
  }

  private var attempt: Int { ClientState.sum(state.failures.count, 1) }

  /// ` after three 503s`.
  private var afterFailures: String {
    let failures = state.failures
    guard failures.count > 0 else { return "" }
    return " after \(DeliveryFormatter.failures(failures))"
  }

  /// ` after refusals (400)`: the client pauses after several in a row.
  private var afterRefusals: String {
    guard state.failures.count == 0, let last = state.lastBatch?.value, BatchResult(last) == .refused,
      let status = last.status
    else { return "" }
    return " after refusals (\(status))"
  }

  private var batchNow: String {
    state.batchSize.limits.map { NumberFormat.count($0.count) }.joined(separator: " or ")
  }

  /// `at most 25 events a batch from disk since a larger one was refused, doubling up to 100 as they are taken`.
  private var reducedSize: String? {
    guard state.batchSize.isReduced, state.batchSize.halvings > 0 else { return nil }
    let limits = state.batchSize.limits.map { limit in
      "\(EngineFormatter.count(limit.count, "event")) a batch" + (limit.source.map { " from \($0)" } ?? "")
    }.joined(separator: " and ")
    return
      "at most \(limits) since a larger one was refused, "
      + "doubling up to \(NumberFormat.count(state.batchSize.first)) as they are taken"
  }

  /// A flush comes earlier once enough events are in memory; the number is one of the machine's constants.
  private var orBefore: String {
    ", or \(DeliveryConfiguration().autoFlushEvents) events after the last flush"
  }

  /// `14 events`, or `event`.
  private func lastEvents(_ batch: DeliveryBatch) -> String {
    batch.size == 1 ? "event" : "\(NumberFormat.count(batch.size)) events"
  }

  /// The end of the sentence, such as "The last 14 events went 7s ago.".
  private var lastWords: String {
    guard let last = state.lastDelivery else { return "" }
    return " The last \(lastEvents(last.value)) went \(duration(max(0, now - last.time))) ago."
  }
}
