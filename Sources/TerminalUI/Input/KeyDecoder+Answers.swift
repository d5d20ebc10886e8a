// Replies of the terminal, in any number of pieces.
//
// While a reply is due, its first two bytes wait longer than a key would. If even that is over, the keys are delivered, but
// their bytes are kept: once the rest arrives it is recognized, and nothing of it is typed. From the third byte on there is
// no doubt, so nothing is delivered. The first byte that does not fit ends the reply, and is a key.
extension KeyDecoder {
  /// Records that queries were sent to the terminal.
  package mutating func expect(_ answers: Set<TerminalAnswer>, now: Double) {
    expected.ask(answers, now: now)
  }

  /// The time until which it is worth waiting for replies before the terminal is given back; `nil` if none is to come.
  ///
  /// Anything that arrives later than that would be typed into the shell.
  package func answerDeadline(now: Double) -> Double? {
    let due = expected.isDue(at: now) ? expected.deadline : nil
    return isPartOfAnswer ? max(due ?? now, arrival + KeyDecoder.answerDelay) : due
  }

  /// Records a reply.
  mutating func answered(_ answer: TerminalAnswer, _ event: InputEvent?) {
    if let event { events.append(event) }
    expected.receive(answer)
  }

  mutating func answerCursor(column: Int) {
    let columns = WidthReply.columns(cursor: column)
    let isUneven = columns.map(WidthReply.isUneven) ?? false
    answered(.cursor, isUneven && expected.missing.contains(.cursor) ? .unevenSigns : nil)
  }

  /// True if a sequence is a reply rather than a key, so that an Escape before it is not Alt.
  func isReply(_ final: UInt8, _ parameters: Parameters) -> Bool {
    if let prefix = parameters.prefix { return prefix != 0x3C }
    return final == 0x52 && parameters[0] != 1 && !parameters.isEmpty
  }

  /// All bytes of the sequence so far.
  private var sequence: [UInt8] {
    if case .stringEscape = state { return pending + [0x1B] }
    return pending
  }

  /// True if the pending bytes are the beginning of a reply.
  var isPartOfAnswer: Bool {
    switch state {
    case .escape, .controlSequence, .string, .stringEscape, .answer:
      return TerminalAnswer.match(sequence, among: candidates(count: sequence.count)) == .part
    case .ground, .singleShift, .linuxFunction, .oldMouse, .utf8, .paste: return false
    }
  }

  /// True if the pending bytes are the beginning of a reply that is due.
  var isDueAnswer: Bool { expected.isDue(at: arrival) && isPartOfAnswer }

  /// The replies that bytes can belong to: keys start with the same two bytes, so then it must be missing.
  private func candidates(count: Int) -> Set<TerminalAnswer> {
    // Begun in time, it may take as long as it will.
    if case .answer(let delivered) = state, delivered > 0 { return expected.missing }
    let missing = expected.recognized(at: arrival)
    // The cursor's reply starts like several keys.
    return count > 2 ? missing.union([.background, .capability, .setting]) : missing
  }

  /// Keeps the beginning of a reply although the time for keys is over.
  mutating func stallAnswer() {
    let bytes = sequence
    if bytes.count == 1 {
      emitEscapes()
      state = .answer(delivered: 1)
    } else {
      if isAlt { emitPlainEscape() }
      isAlt = false
      let isKey = bytes.count == 2 && !expected.isDue(at: arrival)
      if isKey { emitAlt(bytes[1]) }
      state = .answer(delivered: isKey ? 2 : 0)
    }
    pending = bytes
  }

  mutating func takeAnswer(_ byte: UInt8, delivered: Int) {
    let bytes = pending + [byte]
    let match = TerminalAnswer.match(bytes, among: candidates(count: bytes.count))
    guard match == .different else {
      pending = bytes
      if match == .whole { replay() }
      return
    }
    let before = pending
    reset()
    if before.count > 1, before.last == 0x1B {
      // The string was aborted, and a new sequence started.
      take(0x1B)
    } else {
      type(before, delivered: delivered)
    }
    take(byte)
  }

  /// Decodes a whole reply in the usual way.
  private mutating func replay() {
    let bytes = pending
    reset()
    for byte in bytes { take(byte) }
  }

  /// Ends the wait for the rest of a reply.
  mutating func giveUpAnswer(delivered: Int) {
    if delivered == 1, pending.count == 2 {
      takeGroundKeepingAnswer(pending[1])
      return state = .answer(delivered: 2)
    }
    let bytes = pending
    reset()
    if bytes.count > 1, bytes.last == 0x1B {
      // The end of a string takes two bytes, and lines lose none: this one is a key.
      emitPlainEscape()
    } else {
      type(bytes, delivered: delivered)
    }
  }

  /// Emits the keys that the beginning of a reply turned out to be; from the third byte on, it was a reply cut off.
  private mutating func type(_ bytes: [UInt8], delivered: Int) {
    if delivered > 0 {
      for byte in bytes.dropFirst(delivered) { take(byte) }
    } else if bytes.count == 2 {
      emitAlt(bytes[1])
    }
  }

  private mutating func takeGroundKeepingAnswer(_ byte: UInt8) {
    let bytes = pending
    reset()
    takeGround(byte)
    pending = bytes
  }
}
