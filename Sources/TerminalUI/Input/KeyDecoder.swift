/// Decodes bytes from a terminal into events incrementally; reads no clock and no descriptor.
///
/// A terminal sends Escape for the key and as the first byte of every sequence. So an Escape waits up to `escapeDelay`
/// for what follows; `deadline` is the time to call `expire(now:)`. No input traps or makes it grow without bound, and
/// garbage is skipped to the end of its sequence.
package struct KeyDecoder: Sendable {
  /// Seconds that a lone Escape waits for more bytes.
  package static let escapeDelay = 0.025
  /// Seconds that an incomplete sequence waits: a slow line must not turn it into typed text.
  package static let sequenceDelay = 0.1
  /// Seconds that an incomplete reply waits for its rest: on a slow line it arrives in pieces, and any part that
  /// arrived after a timeout would be taken for typed text.
  package static let answerDelay = 1.0
  /// Seconds that a lone Escape waits while a reply is expected, because it may be the reply's first byte.
  static let expectantDelay = 0.3
  /// Seconds after a query during which a reply is expected.
  package static let answerTime = 2.0
  /// Seconds that a paste waits for its next byte: after a timeout, the rest would be taken for thousands of keys, with
  /// all their effects.
  package static let pasteDelay = 1.0
  /// Seconds of silence after which a lone Escape ends a paste without a terminator.
  ///
  /// The same goes for Ctrl-C, although it arrives here only if the terminal has another interrupt key; otherwise it is
  /// a signal.
  package static let pastePause = 0.3
  /// Maximum size of a paste, in bytes; the rest is dropped.
  package static let pasteLimit = 1 << 16
  /// Maximum size of a sequence, in bytes; longer ones are not keys.
  static let sequenceLimit = 64

  enum State: Sendable {
    case ground
    case escape
    case controlSequence
    case singleShift
    /// `CSI [`: a function key of the Linux console.
    case linuxFunction
    /// A reply of the terminal (OSC, DCS, APC, PM, SOS), up to its end.
    case string
    case stringEscape
    /// The three bytes that follow an old-style mouse report.
    case oldMouse(left: Int)
    case utf8(left: Int)
    case paste(matched: Int)
  }

  var state = State.ground
  /// The bytes read so far of a sequence (starting with Escape), a character or a paste.
  var pending: [UInt8] = []
  /// True after a second leading Escape, which some terminals send for Alt.
  var isAlt = false
  var events: [InputEvent] = []
  /// Sequences of this terminal that the common tables lack.
  let extra: [[UInt8]: Key]
  /// The time until which replies to queries are expected, on the caller's clock; `nil` without a query.
  var answerDeadline: Double?
  /// Number of replies still missing.
  private var answersLeft = 0
  /// The time at which pending bytes time out, on the caller's clock.
  package private(set) var deadline: Double?

  package init(extra: [[UInt8]: Key] = [:]) { self.extra = extra }

  /// Consumes bytes and returns the completed events.
  ///
  /// - Parameter now: The time in seconds on the caller's clock.
  package mutating func feed(_ bytes: some Collection<UInt8>, now: Double) -> [InputEvent] {
    // More bytes of a paste are not keys, however late: the caller may have been busy while they waited.
    if case .paste(let matched) = state {
      let isWayOut = bytes.count == 1 && (bytes.first == 0x1B || bytes.first == 0x03)
      if matched == 0, isWayOut, let deadline, now >= deadline - Self.pasteDelay + Self.pastePause {
        endPaste()
        reset()
      }
    } else {
      events += expire(now: now)
    }
    for byte in bytes { take(byte) }
    deadline = delay(now: now).map { now + $0 }
    return drain()
  }

  /// Resolves pending bytes once their deadline is reached.
  package mutating func expire(now: Double) -> [InputEvent] {
    guard let deadline, now >= deadline else { return [] }
    self.deadline = nil
    giveUp()
    return drain()
  }

  private mutating func drain() -> [InputEvent] {
    defer { events.removeAll() }
    return events
  }

  /// Records that a query was sent to the terminal.
  package mutating func expectAnswers(_ count: Int = 1, now: Double) {
    answerDeadline = now + KeyDecoder.answerTime
    answersLeft = count
  }

  /// Records a reply.
  mutating func answered(_ event: InputEvent?) {
    if let event { events.append(event) }
    answersLeft -= answersLeft > 0 ? 1 : 0
    if answersLeft == 0 { answerDeadline = nil }
  }

  private func delay(now: Double) -> Double? {
    let isExpectant = answerDeadline.map { now < $0 } ?? false
    let escapeDelay = isExpectant ? KeyDecoder.expectantDelay : KeyDecoder.escapeDelay
    switch state {
    case .ground: return nil
    case .escape: return escapeDelay
    // Only two bytes so far: may be Alt and a bracket, which is a key.
    case .controlSequence, .singleShift:
      return pending.count <= 2 ? KeyDecoder.escapeDelay : KeyDecoder.sequenceDelay
    case .string: return pending.count <= 2 ? escapeDelay : KeyDecoder.answerDelay
    case .stringEscape: return KeyDecoder.answerDelay
    case .linuxFunction, .oldMouse, .utf8: return KeyDecoder.sequenceDelay
    case .paste: return KeyDecoder.pasteDelay
    }
  }

  /// Resolves pending bytes as a key, or drops them, because nothing more follows.
  private mutating func giveUp() {
    switch state {
    case .ground, .linuxFunction, .stringEscape, .oldMouse, .utf8: break
    case .escape:
      // With nothing after it, the second Escape does not mean Alt.
      let wasTwice = isAlt
      isAlt = false
      emit(.escape)
      if wasTwice { emit(.escape) }
    case .controlSequence, .singleShift, .string:
      if pending.count == 2 { emit(.character(Character(Unicode.Scalar(pending[1]))), .alt) }
    case .paste: endPaste()
    }
    reset()
  }

  mutating func reset() {
    state = .ground
    pending.removeAll(keepingCapacity: true)
    isAlt = false
  }

  mutating func emit(_ key: Key, _ modifiers: KeyPress.Modifiers = []) {
    events.append(.key(KeyPress(key, isAlt ? modifiers.union(.alt) : modifiers)))
  }
}
