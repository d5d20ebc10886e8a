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
  /// Seconds that an incomplete reply waits for its rest, more than the two that a slow line may stall.
  ///
  /// Any part that arrived after a timeout would be taken for typed text.
  package static let answerDelay = 2.5
  /// Seconds that a lone Escape waits while a reply is expected, because it may be the reply's first byte.
  static let expectantDelay = 0.3
  /// Seconds after a query during which a reply is expected.
  package static let answerTime = 2.0
  /// Seconds after a query during which a reply is recognized even if its first bytes were taken for keys.
  static let recognitionTime = 10.0
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
    /// The beginning of a reply that stalls. Its first bytes may have been delivered as keys.
    case answer(delivered: Int)
  }

  var state = State.ground
  /// The bytes read so far of a sequence (starting with Escape), a character or a paste.
  var pending: [UInt8] = []
  /// True after a second leading Escape, which some terminals send for Alt.
  var isAlt = false
  var events: [InputEvent] = []
  /// Sequences of this terminal that the common tables lack.
  let extra: [[UInt8]: Key]
  var expected = ExpectedAnswers()
  /// The time of the last byte, on the caller's clock.
  var arrival = 0.0
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
    arrival = now
    for byte in bytes { take(byte) }
    deadline = delay.map { now + $0 }
    return drain()
  }

  /// Resolves pending bytes once their deadline is reached.
  package mutating func expire(now: Double) -> [InputEvent] {
    // Giving up a key can leave the beginning of a reply, with a deadline of its own.
    while let deadline, now >= deadline {
      giveUp()
      self.deadline = delay.map { arrival + $0 }
    }
    return drain()
  }

  private mutating func drain() -> [InputEvent] {
    defer { events.removeAll() }
    return events
  }

  /// Seconds that the pending bytes wait for the next one.
  private var delay: Double? {
    switch state {
    case .ground: return nil
    case .escape: return expected.isDue(at: arrival) ? KeyDecoder.expectantDelay : KeyDecoder.escapeDelay
    // Only two bytes so far: may be Alt and a bracket, which is a key.
    case .controlSequence, .singleShift, .string:
      guard pending.count > 2 else {
        return isDueAnswer ? KeyDecoder.sequenceDelay : KeyDecoder.escapeDelay
      }
      if case .string = state, !isPartOfAnswer { return KeyDecoder.answerDelay }
      return KeyDecoder.sequenceDelay
    case .stringEscape: return isPartOfAnswer ? KeyDecoder.sequenceDelay : KeyDecoder.answerDelay
    case .linuxFunction, .oldMouse, .utf8: return KeyDecoder.sequenceDelay
    case .paste: return KeyDecoder.pasteDelay
    case .answer(let delivered):
      return delivered == 1 && pending.count == 2 ? KeyDecoder.expectantDelay : KeyDecoder.answerDelay
    }
  }

  /// Resolves pending bytes as a key, or drops them, because nothing more follows in time.
  private mutating func giveUp() {
    if case .answer(let delivered) = state { return giveUpAnswer(delivered: delivered) }
    if isPartOfAnswer { return stallAnswer() }
    switch state {
    case .ground, .linuxFunction, .stringEscape, .oldMouse, .utf8, .answer: break
    case .escape: emitEscapes()
    case .controlSequence, .singleShift, .string: if pending.count == 2 { emitAlt(pending[1]) }
    case .paste: endPaste()
    }
    reset()
  }

  /// Emits the Escapes that nothing followed.
  mutating func emitEscapes() {
    // With nothing after it, the second Escape does not mean Alt.
    let wasTwice = isAlt
    isAlt = false
    emit(.escape)
    if wasTwice { emit(.escape) }
  }

  /// Emits the character with Alt.
  mutating func emitAlt(_ byte: UInt8) { emit(.character(Character(Unicode.Scalar(byte))), .alt) }

  mutating func reset() {
    state = .ground
    pending.removeAll(keepingCapacity: true)
    isAlt = false
  }

  mutating func emit(_ key: Key, _ modifiers: KeyPress.Modifiers = []) {
    events.append(.key(KeyPress(key, isAlt ? modifiers.union(.alt) : modifiers)))
  }
}
