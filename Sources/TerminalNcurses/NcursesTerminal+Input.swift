internal import CTerminalGuard
internal import Essentials
package import TerminalUI

extension NcursesTerminal {
  package func readEvents(now: Double) -> TerminalInput {
    // Without its guard the program is no job of the shell any more.
    if terminal_guard_has_parent() == 0 { isHungUp = true }
    guard !isHungUp else { return TerminalInput(events: [.hangup]) }
    if expectedAnswers > 0 {
      decoder.expectAnswers(expectedAnswers, now: now)
      expectedAnswers = 0
    }
    var events = takeWakes()
    events += takeKeys(now: now)
    // After them: what waits to be read is not missing.
    events += decoder.expire(now: now)
    if isHungUp { events.append(.hangup) }
    return TerminalInput(events: events, deadline: decoder.deadline)
  }

  /// Resizes and returns from a stop, reported by the signal handlers through their pipe.
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

  /// Reads what is there, at most 64 KiB a call so that a flood does not stop the picture.
  private func takeKeys(now: Double) -> [InputEvent] {
    var events: [InputEvent] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<16 {
      var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 0) > 0 else { break }
      let flags = Int32(ready.revents)
      // A terminal that is gone says so here; reading it gives no errno to go by.
      if flags & (POLLHUP | POLLERR | POLLNVAL) != 0, flags & POLLIN == 0 {
        isHungUp = true
        break
      }
      let count = read(input, &bytes, bytes.count)
      // Interrupted, or another reader was quicker: the next poll decides.
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
