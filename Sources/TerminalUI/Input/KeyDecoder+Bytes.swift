extension KeyDecoder {
  mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: takeGround(byte)
    case .escape: takeAfterEscape(byte)
    case .controlSequence: takeControlSequence(byte)
    case .singleShift: takeSingleShift(byte)
    case .linuxFunction: takeLinuxFunction(byte)
    case .string: takeString(byte)
    case .stringEscape: takeStringEscape(byte)
    case .oldMouse(let left):
      if left > 1 { state = .oldMouse(left: left - 1) } else { reset() }
    case .utf8(let left): takeContinuation(byte, left: left)
    case .paste(let matched): takePaste(byte, matched: matched)
    case .answer(let delivered): takeAnswer(byte, delivered: delivered)
    }
  }

  mutating func takeGround(_ byte: UInt8) {
    switch byte {
    case 0x1B:
      pending = [byte]
      state = .escape
    case 0x20..<0x7F: typed(byte)
    case 0xC2...0xDF: begin(byte, left: 1)
    case 0xE0...0xEF: begin(byte, left: 2)
    case 0xF0...0xF4: begin(byte, left: 3)
    case 0x80...0xFF: reset()
    default: control(byte)
    }
  }

  private mutating func typed(_ byte: UInt8) {
    emit(.character(Character(Unicode.Scalar(byte))))
    reset()
  }

  private mutating func begin(_ byte: UInt8, left: Int) {
    pending = [byte]
    state = .utf8(left: left)
  }

  /// Emits the keys that control characters stand for.
  ///
  /// DEL and BS are both Backspace, CR and LF are both Enter: terminals disagree.
  private mutating func control(_ byte: UInt8) {
    defer { reset() }
    if let key = extra[[byte]] { return emit(key) }
    switch byte {
    case 0x00: emit(.character(" "), .control)
    case 0x08, 0x7F: emit(.backspace)
    case 0x09: emit(.tab)
    case 0x0A, 0x0D: emit(.enter)
    case 0x01...0x1A: emit(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
    default: emit(.character(Character(Unicode.Scalar(byte + 0x40))), .control)
    }
  }

  private mutating func takeContinuation(_ byte: UInt8, left: Int) {
    guard byte & 0xC0 == 0x80 else {
      let alt = isAlt
      reset()
      isAlt = alt && byte != 0x1B
      return takeGround(byte)
    }
    pending.append(byte)
    guard left == 1 else {
      state = .utf8(left: left - 1)
      return
    }
    // Validating decode: overlong forms and surrogates yield nothing. A character that must not be drawn is not a key.
    if let text = String(validating: pending, as: UTF8.self), let scalar = text.unicodeScalars.first,
      SafeText.columns(of: scalar) != nil
    {
      emit(.character(Character(scalar)))
    }
    reset()
  }

  private mutating func takeAfterEscape(_ byte: UInt8) {
    if let key = extra[[0x1B, byte]] {
      emit(key)
      return reset()
    }
    switch byte {
    case 0x1B:
      if isAlt { emitPlainEscape() }
      isAlt = true
    case 0x5B: follow(.controlSequence, byte)
    case 0x4F: follow(.singleShift, byte)
    case 0x5D, 0x50, 0x5F, 0x5E, 0x58: follow(.string, byte)
    default:
      isAlt = true
      state = .ground
      pending.removeAll(keepingCapacity: true)
      takeGround(byte)
    }
  }

  /// Emits the first of two Escapes, which was a key of its own.
  mutating func emitPlainEscape() {
    events.append(.key(KeyPress(.escape)))
  }

  private mutating func follow(_ next: State, _ byte: UInt8) {
    pending.append(byte)
    state = next
  }

  private mutating func takeString(_ byte: UInt8) {
    switch byte {
    case 0x07: endString()
    case 0x18, 0x1A: reset()
    case 0x1B:
      let wasPart = isPartOfAnswer
      state = .stringEscape
      // The reply cannot end here, so this is a key.
      if wasPart, !isPartOfAnswer {
        reset()
        takeGround(byte)
      }
    default:
      pending.append(byte)
      // No reply to our queries is this long.
      if pending.count > KeyDecoder.sequenceLimit * 64 { reset() }
    }
  }

  private mutating func takeStringEscape(_ byte: UInt8) {
    guard byte != 0x5C else { return endString() }
    // Anything but the terminator means that the string was aborted and a new sequence started.
    reset()
    pending = [0x1B]
    takeAfterEscape(byte)
  }

  /// Handles a complete reply of the terminal.
  private mutating func endString() {
    if isAlt { emitPlainEscape() }
    let text = pending.dropFirst(2)
    if pending.count > 2, pending[1] == 0x5D, let color = BackgroundReply.color(text) {
      answered(.background, .background(color))
    } else if pending.count > 2, pending[1] == 0x50 {
      let isSetting = text.dropFirst().starts(with: [0x24, 0x72])
      answered(isSetting ? .setting : .capability, ColorReply.showsTrueColor(text) ? .trueColor : nil)
    }
    reset()
  }
}
