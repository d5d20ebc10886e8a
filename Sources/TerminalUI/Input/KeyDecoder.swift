/// Decodes bytes from a terminal into events, a piece at a time; reads no clock and no descriptor.
///
/// A terminal sends Escape for the key and as the first byte of every sequence. So an Escape waits up to
/// `escapeDelay` for what follows; `deadline` is the time to call `expire(now:)`. No input
/// traps or makes it grow without bound, and garbage is skipped to the end of its sequence.
package struct KeyDecoder: Sendable {
  /// Seconds that a lone Escape waits for more.
  package static let escapeDelay = 0.025
  /// Seconds that a sequence already begun waits: a slow line must not turn it into typing.
  package static let sequenceDelay = 0.1
  /// Seconds that an answer already begun waits for its rest: over a slow line it comes in pieces, and what came of it
  /// after it was abandoned would be typing.
  package static let answerDelay = 1.0
  /// Seconds that a lone Escape waits while an answer is expected, for it may be the answer's first byte.
  static let expectantDelay = 0.3
  /// Seconds that an answer is expected for after the question.
  package static let answerTime = 2.0
  /// Seconds that a paste waits for its next byte: bytes after its end would be typed as thousands of keys, with all their
  /// effects.
  package static let pasteDelay = 1.0
  /// Seconds of silence after which a lone Escape leaves a paste without an end.
  ///
  /// Ctrl-C too, though it comes here only where the terminal has another key for the interrupt: else it is a signal.
  package static let pastePause = 0.3
  /// Bytes of a paste that are kept.
  package static let pasteLimit = 1 << 16
  /// Bytes of one sequence that are kept; longer ones are no keys.
  static let sequenceLimit = 64

  enum State: Sendable {
    case ground
    case escape
    case controlSequence
    case singleShift
    /// `CSI [`: a function key of the Linux console.
    case linuxFunction
    /// An answer of the terminal (OSC, DCS, APC, PM, SOS), up to its end.
    case string
    case stringEscape
    /// The three bytes after the old mouse report.
    case oldMouse(left: Int)
    case utf8(left: Int)
    case paste(matched: Int)
  }

  var state = State.ground
  /// The bytes read so far of a sequence (from its Escape on), a character or a paste.
  var pending: [UInt8] = []
  /// A second Escape stood in front, which some terminals send for Alt.
  var isAlt = false
  var events: [InputEvent] = []
  /// Sequences of this terminal that the common tables do not have.
  let extra: [[UInt8]: Key]
  /// Until when answers to questions are expected, on the caller's clock; `nil` without a question.
  var answerDeadline: Double?
  /// How many of them have not come.
  private var answersLeft = 0
  /// The time at which pending bytes time out, on the caller's clock.
  package private(set) var deadline: Double?

  package init(extra: [[UInt8]: Key] = [:]) { self.extra = extra }

  /// Takes bytes in and gives the events that are complete.
  /// - Parameter now: seconds on the caller's clock.
  package mutating func feed(_ bytes: some Collection<UInt8>, now: Double) -> [InputEvent] {
    // More of a paste is no key, however late: the caller may have been busy while it waited.
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

  /// Gives what is pending once its deadline has come.
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

  /// Takes down an answer.
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

  /// Nothing more comes: what is pending is a key after all, or nothing.
  private mutating func giveUp() {
    switch state {
    case .ground, .linuxFunction, .stringEscape, .oldMouse, .utf8: break
    case .escape:
      // In front of nothing the second Escape is no Alt.
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
