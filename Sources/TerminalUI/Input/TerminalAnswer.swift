/// An answer of the terminal to a query, by its form.
///
/// A slow line delivers an answer in pieces, and a piece that is mistaken for typed text ends up in the filter or, after
/// the end, in the shell. So the decoder compares what arrives with the exact forms: from its third byte on, no key starts
/// like an answer.
package enum TerminalAnswer: CaseIterable, Hashable, Sendable {
  /// `OSC 11`: the background color.
  case background
  /// `DCS 1 + r`: a capability.
  case capability
  /// `DCS 1 $ r`: a setting.
  case setting
  /// `CSI 2 ; column R`: the cursor's position in the row that ``WidthReply`` writes to.
  case cursor

  /// The result of comparing bytes with the forms.
  enum Match: Hashable, Sendable {
    case different
    /// The beginning of an answer.
    case part
    case whole
  }

  /// Compares bytes, starting with Escape, with the forms of some answers.
  static func match(_ bytes: [UInt8], among answers: Set<TerminalAnswer>) -> Match {
    var result = Match.different
    for answer in answers {
      switch answer.match(bytes) {
      case .whole: return .whole
      case .part: result = .part
      case .different: break
      }
    }
    return result
  }

  private func match(_ bytes: [UInt8]) -> Match {
    var form = AnswerForm(bytes[...])
    form.take("\u{1B}")
    switch self {
    case .background: form.takeColor()
    case .capability:
      form.take("P", oneOf: "01", "+r")
      form.takeMany(0...120) { $0 == 0x3D || $0 == 0x3B || AnswerForm.isHex($0) }
      form.takeEnd()
    case .setting:
      form.take("P", oneOf: "01", "$r")
      form.takeMany(0...120) { AnswerForm.isDigit($0) || [0x3A, 0x3B, 0x6D].contains($0) }
      form.takeEnd()
    case .cursor:
      form.take("[\(WidthReply.row);")
      form.takeMany(1...4, AnswerForm.isDigit)
      form.take("R")
    }
    return form.match
  }
}

/// Bytes compared with a form, part by part; the first difference, or the end of the bytes, decides.
private struct AnswerForm {
  private var rest: ArraySlice<UInt8>
  private var decided: TerminalAnswer.Match?

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var match: TerminalAnswer.Match { decided ?? (rest.isEmpty ? .whole : .different) }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  static func isHex(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  /// The next byte; without one, the bytes are a part of an answer.
  private mutating func next() -> UInt8? {
    guard decided == nil else { return nil }
    guard let byte = rest.first else {
      decided = .part
      return nil
    }
    return byte
  }

  mutating func take(_ text: String) {
    for expected in text.utf8 {
      guard let byte = next() else { return }
      guard byte == expected else { return decided = .different }
      rest = rest.dropFirst()
    }
  }

  mutating func take(_ start: String, oneOf choices: String, _ end: String) {
    take(start)
    guard let byte = next() else { return }
    guard choices.utf8.contains(byte) else { return decided = .different }
    rest = rest.dropFirst()
    take(end)
  }

  mutating func takeMany(_ count: ClosedRange<Int>, _ isOne: (UInt8) -> Bool) {
    guard decided == nil else { return }
    let taken = rest.prefix(count.upperBound).prefix(while: isOne).count
    rest = rest.dropFirst(taken)
    // Every form goes on after this, so at the end of the bytes more is missing in any case.
    if next() != nil, taken < count.lowerBound { decided = .different }
  }

  /// `11;` and a color in one of the forms that ``BackgroundReply`` reads.
  mutating func takeColor() {
    take("]11;")
    guard let first = next() else { return }
    if first == 0x23 {
      take("#")
      takeMany(3...12, AnswerForm.isHex)
      return takeEnd()
    }
    take("rgb")
    let hasAlpha = next() == 0x61
    take(hasAlpha ? "a:" : ":")
    for place in 0..<(hasAlpha ? 4 : 3) {
      if place > 0 { take("/") }
      takeMany(1...4, AnswerForm.isHex)
    }
    takeEnd()
  }

  /// Takes the end of a string: BEL, or Escape and a backslash.
  mutating func takeEnd() {
    guard let byte = next() else { return }
    take(byte == 0x07 ? "\u{07}" : "\u{1B}\\")
  }
}

/// The answers that the terminal still owes.
struct ExpectedAnswers: Sendable {
  private(set) var missing: Set<TerminalAnswer> = []
  private var asked = -Double.infinity
  /// True once the answer to the last query has arrived.
  private var isSettled = true

  /// Records that queries were sent.
  mutating func ask(_ answers: Set<TerminalAnswer>, now: Double) {
    missing.formUnion(answers)
    asked = now
    isSettled = missing.isEmpty
  }

  /// Records an answer.
  mutating func receive(_ answer: TerminalAnswer) {
    missing.remove(answer)
    // Asked last, and every terminal knows it: what is missing now will not come, unless a multiplexer is late with it.
    if missing.isEmpty || answer == .cursor { isSettled = true }
  }

  /// The time until which answers are expected; `nil` if there are none to come.
  var deadline: Double? { isSettled ? nil : asked + KeyDecoder.answerTime }

  /// True while answers are expected, so that a key that looks like their beginning waits for more.
  func isDue(at time: Double) -> Bool { deadline.map { time < $0 } ?? false }

  /// The answers that would still be recognized if their beginning has already been taken for a key.
  func recognized(at time: Double) -> Set<TerminalAnswer> {
    time < asked + KeyDecoder.recognitionTime ? missing : []
  }
}
