import TerminalUI

extension EmulatedScreen {
  /// Processes output of the program.
  package mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    count += 1
    switch state {
    case .ground: takeGround(byte)
    case .escape: takeEscape(byte)
    case .designation where byte == 0x1B: state = .escape
    case .designation:
      state = .ground
      if byte != UInt8(ascii: "B") { violate("designation of character set \(byte)") }
    case .control: takeControl(byte)
    case .string: takeString(byte)
    case .stringEscape:
      state = .ground
      if byte == UInt8(ascii: "\\") { endString() } else { violate("string ended by Escape and \(byte)") }
    }
  }

  private mutating func takeGround(_ byte: UInt8) {
    if pending.missing > 0, byte & 0xC0 == 0x80 {
      pending.value = pending.value << 6 | UInt32(byte & 0x3F)
      pending.missing -= 1
      if pending.missing == 0 { endSign() }
      return
    }
    if pending.missing > 0 {
      pending.missing = 0
      // A death may cut off a character.
      if byte != 0x1B { violate("sign of UTF-8 cut off by byte \(byte)") }
    }
    switch byte {
    case 0x20..<0x7F: put(UInt32(byte))
    case 0xC2..<0xE0: pending = (UInt32(byte & 0x1F), 1, 2)
    case 0xE0..<0xF0: pending = (UInt32(byte & 0x0F), 2, 3)
    case 0xF0..<0xF5: pending = (UInt32(byte & 0x07), 3, 4)
    case 0x1B: state = .escape
    case 0x0D: moveTo(x: 0, y: y)
    // Sequences that ncurses uses to move the cursor.
    case 0x0A where y + 1 < size.height || !modes.isAlternate: moveDown()
    case 0x08: moveTo(x: max(0, x - 1), y: y)
    case 0x09: moveTo(x: min(size.width - 1, (x / 8 + 1) * 8), y: y)
    default: violate("byte \(byte) at column \(x), row \(y)")
    }
  }

  private mutating func endSign() {
    let shortest: [UInt32] = [0, 0, 0x80, 0x800, 0x10000]
    guard pending.value >= shortest[pending.length], let scalar = Unicode.Scalar(pending.value) else {
      return violate("bytes that are no UTF-8, for \(pending.value)")
    }
    if ForbiddenSigns.contains(scalar.value) {
      violate("forbidden sign U+\(String(scalar.value, radix: 16)) at column \(x), row \(y)")
    }
    put(scalar.value)
  }

  private mutating func takeEscape(_ byte: UInt8) {
    sequence = []
    switch byte {
    case UInt8(ascii: "["): state = .control
    case UInt8(ascii: "]"): state = .string
    case UInt8(ascii: "P"):
      state = .string
      sequence = [byte]
    case UInt8(ascii: "("): state = .designation
    case UInt8(ascii: "M"):
      state = .ground
      let rows = modes.scrolling ?? 0...size.height - 1
      if y == rows.lowerBound { scroll(rows, by: -1) } else { moveTo(x: x, y: y - 1) }
    // The end of a string that was cut off.
    case UInt8(ascii: "\\"): state = .ground
    // Cut off by a death after its first byte; the following sequences restore the terminal.
    case 0x1B: state = .escape
    default:
      state = .ground
      violate("Escape and byte \(byte)")
    }
  }

  private mutating func takeControl(_ byte: UInt8) {
    switch byte {
    case 0x40..<0x7F:
      state = .ground
      perform(String(decoding: sequence, as: UTF8.self), final: byte)
    case 0x20..<0x40 where sequence.count < 64: sequence.append(byte)
    case 0x1B:
      // Cut off by a death; the following sequences restore the terminal.
      state = .escape
    default:
      state = .ground
      violate("byte \(byte) in a control sequence")
    }
  }

  private mutating func takeString(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .stringEscape
    case 0x20..<0x7F where sequence.count < 200_000: sequence.append(byte)
    default:
      state = .ground
      violate("byte \(byte) in an operating system command")
    }
  }

  private mutating func endString() {
    let text = String(decoding: sequence, as: UTF8.self)
    // Queries for the background and for 24-bit colors, which some terminals never answer, like this one.
    if ["11;?", "P+q524742", "P$qm"].contains(text) { return }
    guard text.hasPrefix("52;c;"), text != "52;c;?" else {
      return violate("operating system command \(text.prefix(60))")
    }
    clipboard.append(String(text.dropFirst(5)))
  }
}
