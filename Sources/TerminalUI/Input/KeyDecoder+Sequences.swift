extension KeyDecoder {
  mutating func takeControlSequence(_ byte: UInt8) {
    switch byte {
    case 0x5B where pending.count == 2:
      pending.append(byte)
      state = .linuxFunction
    // rxvt ends a shifted key with a byte that does not end other sequences; a reply starts with `?`.
    case 0x24 where pending.count > 2 && pending[2] != 0x3F: finish(byte)
    case 0x20...0x3F:
      if pending.count < KeyDecoder.sequenceLimit { pending.append(byte) }
    case 0x40...0x7E: finish(byte)
    default: breakOff(byte)
    }
  }

  /// A byte that is invalid in a sequence aborts it; Escape starts the next one.
  private mutating func breakOff(_ byte: UInt8) {
    reset()
    take(byte)
  }

  private mutating func finish(_ final: UInt8) {
    let sequence = pending + [final]
    if let key = extra[sequence] {
      emit(key)
      return reset()
    }
    if final == 0x4D, sequence.count == 3 {
      state = .oldMouse(left: 3)
      return
    }
    let parameters = Parameters(sequence.dropFirst(2).dropLast())
    if final == 0x7E, parameters[0] == 200, parameters.prefix == nil {
      reset()
      state = .paste(matched: 0)
      return
    }
    if isAlt, isReply(final, parameters) {
      emitPlainEscape()
      isAlt = false
    }
    if final == 0x52, parameters.prefix == nil, parameters[0] == WidthReply.row {
      answerCursor(column: parameters[1])
    } else if parameters.prefix == 0x3C {
      if let event = mouse(parameters, isRelease: final == 0x6D), final == 0x4D || final == 0x6D {
        events.append(.mouse(event))
      }
    } else if parameters.prefix == nil {
      key(final, parameters)
    }
    reset()
  }

  private mutating func key(_ final: UInt8, _ parameters: Parameters) {
    let modifiers = parameters.modifiers(at: 1)
    switch final {
    case 0x49 where parameters.isEmpty: events.append(.focus(true))
    case 0x4F where parameters.isEmpty: events.append(.focus(false))
    case 0x5A: emit(.backTab)
    case 0x7E where parameters[0] == 27: other(code: parameters[2], modifiers)
    case 0x75: other(code: parameters[0], modifiers)
    case 0x7E: if let key = KeyDecoder.numbered(parameters[0]) { emit(key, modifiers) }
    case 0x24: if let key = KeyDecoder.numbered(parameters[0]) { emit(key, .shift) }
    case 0x5E: if let key = KeyDecoder.numbered(parameters[0]) { emit(key, .control) }
    case 0x40: if let key = KeyDecoder.numbered(parameters[0]) { emit(key, [.control, .shift]) }
    case 0x61...0x64:
      if parameters.isEmpty, let key = KeyDecoder.lettered(final - 0x20) { emit(key, .shift) }
    // With a first number other than 1, these letters are replies, such as the cursor position.
    default:
      if parameters.isEmpty || parameters[0] == 1, let key = KeyDecoder.lettered(final) {
        emit(key, modifiers)
      }
    }
  }

  /// Emits a key given by its code point, as in `modifyOtherKeys` and newer protocols.
  private mutating func other(code: Int, _ modifiers: KeyPress.Modifiers) {
    switch code {
    case 9: emit(modifiers.contains(.shift) ? .backTab : .tab, modifiers.subtracting(.shift))
    case 13: emit(.enter, modifiers)
    case 27: emit(.escape, modifiers)
    case 8, 127: emit(.backspace, modifiers)
    default:
      guard code >= 32, let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value),
        SafeText.columns(of: scalar) != nil
      else { return }
      emit(.character(Character(scalar)), modifiers.subtracting(.shift))
    }
  }

  mutating func takeSingleShift(_ byte: UInt8) {
    switch byte {
    case 0x30...0x39 where pending.count < 4: pending.append(byte)
    case 0x40...0x7E: finishSingleShift(byte)
    default: breakOff(byte)
    }
  }

  private mutating func finishSingleShift(_ final: UInt8) {
    defer { reset() }
    let sequence = pending + [final]
    if let key = extra[sequence] { return emit(key) }
    let digits = Parameters(sequence.dropFirst(2).dropLast())
    let modifiers = digits.modifiers(at: 0)
    switch final {
    case 0x4D: emit(.enter, modifiers)
    case 0x58: emit(.character("="), modifiers)
    case 0x61...0x64: if let key = KeyDecoder.lettered(final - 0x20) { emit(key, .control) }
    // The keypad: its codes are those of the characters on its keys, plus 64.
    case 0x6A...0x79: emit(.character(Character(Unicode.Scalar(final - 0x40))), modifiers)
    default: if let key = KeyDecoder.lettered(final) { emit(key, modifiers) }
    }
  }

  mutating func takeLinuxFunction(_ byte: UInt8) {
    if (0x41...0x45).contains(byte) { emit(.function(Int(byte) - 0x40)) }
    reset()
  }

  private static func lettered(_ final: UInt8) -> Key? {
    switch final {
    case 0x41: return .up
    case 0x42: return .down
    case 0x43: return .right
    case 0x44: return .left
    case 0x46: return .end
    case 0x48: return .home
    case 0x50...0x53: return .function(Int(final) - 0x4F)
    default: return nil
    }
  }

  private static func numbered(_ number: Int) -> Key? {
    switch number {
    case 1, 7: return .home
    case 2: return .insert
    case 3: return .delete
    case 4, 8: return .end
    case 5: return .pageUp
    case 6: return .pageDown
    case 11...15: return .function(number - 10)
    case 17...21: return .function(number - 11)
    case 23, 24: return .function(number - 12)
    default: return nil
    }
  }
}
