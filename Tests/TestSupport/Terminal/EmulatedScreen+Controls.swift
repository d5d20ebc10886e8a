import TerminalUI

extension EmulatedScreen {
  /// Performs a control sequence; one that the program does not need is a violation.
  mutating func perform(_ text: String, final: UInt8) {
    if text.hasPrefix("?") { return performPrivate(text, final: final) }
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard text.utf8.allSatisfy({ (0x30...0x3B).contains($0) }) else { return unknown(text, final) }
    switch Character(Unicode.Scalar(final)) {
    case "m": checkLook(numbers, text)
    case "H", "A", "B", "C", "D", "G", "d": move(numbers, final)
    case "J", "K", "X", "P", "@": erase(numbers, final)
    case "b": for _ in 0..<min(max(1, numbers[0]), size.width) { put(lastSign) }
    case "r"
    where numbers.count == 2 && numbers[0] >= 1 && numbers[1] <= size.height && numbers[0] < numbers[1]:
      modes.scrolling = numbers == [1, size.height] ? nil : numbers[0] - 1...numbers[1] - 1
      moveTo(x: 0, y: 0)
    case "S", "T", "L", "M": scroll(max(1, numbers[0]), final)
    case "n" where isOwnQuestion(numbers):
      hasAskedPosition = true
      answers += Array("\u{1B}[\(y + 1);\(x + 1)R".utf8)
    // Insert mode off: sent by ncurses if it is not sure about the mode.
    case "l" where numbers == [4]: break
    case "t" where numbers == [22, 0, 0]: modes.titlesKept += 1
    case "t" where numbers == [23, 0, 0]: modes.titlesKept -= 1
    default: unknown(text, final)
    }
  }

  /// True for the query for the cursor's position as the program sends it: once, in the second row of an empty screen, at
  /// its start or after three signs.
  private func isOwnQuestion(_ numbers: [Int]) -> Bool {
    numbers == [6] && modes.isAlternate && !hasAskedPosition && y == 1 && (x == 0 || x == 3 * signWidth)
  }

  private mutating func unknown(_ text: String, _ final: UInt8) {
    violate("control sequence CSI \(text)\(Character(Unicode.Scalar(final)))")
  }

  private mutating func move(_ numbers: [Int], _ final: UInt8) {
    let count = max(1, numbers[0])
    switch Character(Unicode.Scalar(final)) {
    case "H": moveTo(x: max(1, numbers.count > 1 ? numbers[1] : 1) - 1, y: count - 1)
    case "A": moveTo(x: x, y: y - count)
    case "B": moveTo(x: x, y: y + count)
    case "C": moveTo(x: x + count, y: y)
    case "D": moveTo(x: x - count, y: y)
    case "G": moveTo(x: count - 1, y: y)
    default: moveTo(x: x, y: count - 1)
    }
  }

  private mutating func scroll(_ count: Int, _ final: UInt8) {
    let rows = modes.scrolling ?? 0...size.height - 1
    switch Character(Unicode.Scalar(final)) {
    case "S": scroll(rows, by: count)
    case "T": scroll(rows, by: -count)
    case "L" where rows.contains(y): scroll(y...rows.upperBound, by: -count)
    case "M" where rows.contains(y): scroll(y...rows.upperBound, by: count)
    default: unknown("\(count)", final)
    }
  }

  private mutating func erase(_ numbers: [Int], _ final: UInt8) {
    switch (Character(Unicode.Scalar(final)), numbers[0]) {
    case ("J", 0): clearBelow()
    case ("J", 2): clearAll()
    case ("K", 0): clear(from: x, count: size.width)
    case ("K", 1): clear(from: 0, count: x + 1)
    case ("X", let count): clear(from: x, count: max(1, count))
    case ("P", let count): shift(by: -max(1, count))
    case ("@", let count): shift(by: max(1, count))
    default: unknown("\(numbers[0])", final)
    }
  }

  private mutating func checkLook(_ numbers: [Int], _ text: String) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0...4, 7, 22...24, 27, 30...37, 39...47, 49, 90...97, 100...107: break
      case 38 where rest.first == 5 && rest.count >= 2, 48 where rest.first == 5 && rest.count >= 2:
        rest = rest.dropFirst(2)
      case 38 where rest.first == 2 && rest.count >= 4, 48 where rest.first == 2 && rest.count >= 4:
        rest = rest.dropFirst(4)
      default: return violate("look CSI \(text)m")
      }
    }
  }

  private mutating func performPrivate(_ text: String, final: UInt8) {
    let isOn = final == UInt8(ascii: "h")
    guard isOn || final == UInt8(ascii: "l") else { return unknown(text, final) }
    for number in text.dropFirst().split(separator: ";").map({ Int($0) ?? -1 }) {
      switch number {
      case 1049: setAlternate(isOn)
      case 25: modes.isCursorShown = isOn
      case 7: modes.isWrapping = isOn
      // A blinking cursor is switched off together with showing the cursor.
      case 12 where !isOn: break
      case 1000, 1002, 1006, 2004, 2026:
        if isOn { modes.privateModes.insert(number) } else { modes.privateModes.remove(number) }
      default: unknown(text, final)
      }
    }
  }
}
