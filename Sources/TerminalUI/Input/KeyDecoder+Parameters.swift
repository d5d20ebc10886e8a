extension KeyDecoder {
  /// The numbers between the start and the end of a sequence; missing ones read as 0.
  struct Parameters {
    /// A leading `<`, `=`, `>` or `?`: not a key.
    let prefix: UInt8?
    private let numbers: [Int]
    let isEmpty: Bool

    init(_ bytes: ArraySlice<UInt8>) {
      isEmpty = bytes.isEmpty
      var bytes = bytes
      if let first = bytes.first, (0x3C...0x3F).contains(first) {
        prefix = first
        bytes = bytes.dropFirst()
      } else {
        prefix = nil
      }
      numbers = bytes.split(separator: 0x3B, omittingEmptySubsequences: false).map { part in
        // A colon separates subparameters that newer protocols add.
        part.prefix { $0 != 0x3A }.reduce(0) { sum, byte in
          (0x30...0x39).contains(byte) ? min(sum * 10 + Int(byte - 0x30), 9_999_999) : sum
        }
      }
    }

    subscript(index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }

    /// Modifiers are encoded as one more than their bits: Shift, Alt, Control, Meta.
    func modifiers(at index: Int) -> KeyPress.Modifiers {
      let bits = max(0, self[index] - 1)
      var modifiers: KeyPress.Modifiers = []
      if bits & 1 != 0 { modifiers.insert(.shift) }
      if bits & (2 | 8) != 0 { modifiers.insert(.alt) }
      if bits & 4 != 0 { modifiers.insert(.control) }
      return modifiers
    }
  }

  /// A mouse report in the SGR form: `CSI < buttons ; column ; row M`, `m` for a release.
  func mouse(_ parameters: Parameters, isRelease: Bool) -> MouseEvent? {
    let code = parameters[0]
    let position = Position(x: parameters[1] - 1, y: parameters[2] - 1)
    guard position.x >= 0, position.y >= 0, position.x < 10_000, position.y < 10_000 else { return nil }
    var modifiers: KeyPress.Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    if code & 64 != 0 {
      let wheel: [MouseEvent.Action] = [.wheelUp, .wheelDown, .wheelLeft, .wheelRight]
      return MouseEvent(wheel[code & 3], at: position, modifiers: modifiers)
    }
    let buttons: [MouseEvent.Button] = [.left, .middle, .right, .none]
    let button = buttons[code & 3]
    let moved: MouseEvent.Action = button == .none ? .move : .drag
    let action: MouseEvent.Action = isRelease ? .release : code & 32 != 0 ? moved : .press
    return MouseEvent(action, button: button, at: position, modifiers: modifiers)
  }

  private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  mutating func takePaste(_ byte: UInt8, matched: Int) {
    let end = KeyDecoder.pasteEnd
    if byte == end[matched] {
      guard matched + 1 < end.count else {
        endPaste()
        return reset()
      }
      state = .paste(matched: matched + 1)
      return
    }
    keep(end[..<matched])
    if byte == end[0] {
      state = .paste(matched: 1)
    } else {
      keep([byte])
      state = .paste(matched: 0)
    }
  }

  private mutating func keep(_ bytes: some Collection<UInt8>) {
    if pending.count + bytes.count <= KeyDecoder.pasteLimit { pending += bytes }
  }

  /// Emits the paste: lines end with a line feed, other control characters are removed.
  mutating func endPaste() {
    let text = SafeText.decode(pending).replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars
    where scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control {
      clean.append(scalar)
    }
    events.append(.paste(String(clean)))
  }
}
