internal import CTerminalGuard
internal import Essentials
package import TerminalUI

extension NcursesTerminal {
  package func readEvents(now: Double) -> TerminalInput {
    // Without its guard, the program is no longer a job of the shell.
    if terminal_guard_has_parent() == 0 { isHungUp = true }
    guard !isHungUp else { return TerminalInput(events: [.hangup]) }
    lastRead = (now, .now)
    if !askedAnswers.isEmpty {
      decoder.expect(askedAnswers, now: now)
      askedAnswers = []
    }
    var events = takeWakes()
    events += takeKeys(now: now)
    // After reading: bytes that are waiting to be read are not late.
    events += decoder.expire(now: now)
    announceAnswers(within: decoder.answerDeadline(now: now).map { $0 - now } ?? 0)
    if isHungUp { events.append(.hangup) }
    return TerminalInput(events: events, deadline: decoder.deadline)
  }

  /// Tells the signal handlers how long answers may arrive, in seconds.
  func announceAnswers(within seconds: Double) {
    guard isAnnounced || seconds > 0 else { return }
    isAnnounced = seconds > 0
    terminal_guard_expect(Int32(max(0, min(seconds, 10)) * 1000))
  }

  /// Reads on while the terminal owes an answer, which the shell would otherwise take for typed text.
  ///
  /// Ends with the last answer, so it takes no longer than the line needs, and no time at all once they are there.
  func awaitAnswers() {
    guard let lastRead, !isHungUp, terminal_guard_is_ours() != 0 else { return }
    let start = lastRead.time
    var now = start + (ContinuousClock.now - lastRead.instant).seconds
    let limit = now + 2 * KeyDecoder.answerDelay
    while !isHungUp, let deadline = decoder.answerDeadline(now: now), now < min(deadline, limit) {
      var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      _ = poll(&ready, 1, Int32((min(deadline, limit) - now) * 1000) + 1)
      now = start + (ContinuousClock.now - lastRead.instant).seconds
      // The keys among them are discarded, like those that are still unread.
      _ = takeKeys(now: now)
      _ = decoder.expire(now: now)
    }
  }

  /// Handles resizes and continuations, which the signal handlers report through their pipe.
  private func takeWakes() -> [InputEvent] {
    var reasons = [UInt8](repeating: 0, count: 256)
    var events: [InputEvent] = []
    var wasStopped = false
    var isWoken = false
    while true {
      let count = read(wake, &reasons, reasons.count)
      guard count > 0 else { break }
      isWoken = true
      wasStopped = wasStopped || reasons[..<count].contains(UInt8(ascii: "c"))
    }
    guard isWoken else { return [] }
    if adoptSize() { events.append(.resize(size)) }
    if wasStopped {
      forget()
      events.append(.resumed)
    }
    return events
  }

  /// Reads available input, at most 64 KiB per call so that a flood does not stop drawing.
  private func takeKeys(now: Double) -> [InputEvent] {
    var events: [InputEvent] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<16 {
      var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 0) > 0 else { break }
      let flags = Int32(ready.revents)
      // A terminal that is gone is reported here; reading it gives no reliable errno.
      if flags & (POLLHUP | POLLERR | POLLNVAL) != 0, flags & POLLIN == 0 {
        isHungUp = true
        break
      }
      let count = read(input, &bytes, bytes.count)
      // Interrupted, or another reader was faster: the next poll decides.
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else {
        isHungUp = true
        break
      }
      events += decoder.feed(bytes[..<count], now: now)
    }
    return events
  }
}

extension Duration {
  fileprivate var seconds: Double { self / .seconds(1) }
}
