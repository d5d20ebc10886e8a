internal import CTerminalGuard
internal import Essentials
package import TerminalUI

extension NcursesTerminal {
  package func readEvents(now: Double) -> TerminalInput {
    // Without its guard, the program is no longer a job of the shell.
    if terminal_guard_has_parent() == 0 { isHungUp = true }
    guard !isHungUp else { return TerminalInput(events: [.hangup]) }
    if expectedAnswers > 0 {
      decoder.expectAnswers(expectedAnswers, now: now)
      expectedAnswers = 0
    }
    var events = takeWakes()
    events += takeKeys(now: now)
    // After reading: bytes that are waiting to be read are not late.
    events += decoder.expire(now: now)
    if isHungUp { events.append(.hangup) }
    return TerminalInput(events: events, deadline: decoder.deadline)
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
