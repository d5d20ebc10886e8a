import Foundation
import TestSupport

/// Makes lines of metrics files: sound ones of every layout, and damaged ones.
struct LineMaker {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// The next line, without its newline; about half of all are sound.
  mutating func next() -> [UInt8] {
    var line = Array(entry().utf8)
    guard Bool.random(using: &generator) else { return line }
    for _ in 0..<Int.random(in: 1...3, using: &generator) { damage(&line) }
    line.removeAll { $0 == 0x0A }
    return line
  }

  private mutating func entry() -> String {
    let space = pick(["", "", "", " ", "\t"])
    var metric = ["\"name\":\(space)\(text())", "\"valueTypeString\":\(text())"]
    if pick([true, true, false]) { metric.insert("\"bucket\":\(pick([text(), text(), "null"]))", at: 0) }
    if pick([false, false, false, true]) { metric.append("\"unit\"\(space):\(value(depth: 0))") }
    if pick([false, false, true]) { metric.shuffle(using: &generator) }
    var value = Data(value(depth: 0).utf8).base64EncodedString()
    if pick([true, true, false]) { value = value.replacingOccurrences(of: "/", with: "\\/") }
    var members = [
      "\"metric\":{\(space)\(metric.joined(separator: ","))}", "\"timestamp\":\(number())",
      "\"value\":\"\(value)\"",
    ]
    if pick([false, false, false, true]) { members.append("\"more\":\(self.value(depth: 0))") }
    if pick([false, false, false, true]) { members.append(pick(members)) }
    if pick([false, false, true]) { members.shuffle(using: &generator) }
    return "{" + members.joined(separator: "," + space) + space + "}"
  }

  private mutating func value(depth: Int) -> String {
    switch Int.random(in: 0..<(depth < 3 ? 8 : 6), using: &generator) {
    case 0, 1, 2: return number()
    case 3: return pick(["true", "false", "null"])
    case 4, 5: return text()
    case 6: return "[" + (0..<3).map { _ in value(depth: depth + 1) }.joined(separator: ",") + "]"
    default: return "{\(text()):\(value(depth: depth + 1)),\(text()): \(value(depth: depth + 1))}"
    }
  }

  private mutating func number() -> String {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return String(Int.random(in: -1000...1000, using: &generator))
    case 1: return String(Int.random(in: .min ... .max, using: &generator))
    case 2: return String(Double(bitPattern: UInt64.random(in: 0..<0x7FF0 << 48, using: &generator)))
    case 3:
      return "\(Int.random(in: 0...9, using: &generator))e\(Int.random(in: -330...330, using: &generator))"
    case 4: return pick(["-0", "0", "1e5", "1E+05", "1e999", "01", "1.", "-", "9007199254740993", "1e-400"])
    default: return String(Double.random(in: 6e8...9e8, using: &generator))
    }
  }

  private mutating func text() -> String {
    let parts = [
      "a", "push_ms", "app", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude80", "é", "🚀", " ", "日本",
      "\\u0000",
      "\\ud800", "\\x", "\u{202E}",
    ]
    // The last three are wrong or strange, so they come seldom.
    let count = pick([true, true, true, false]) ? parts.count - 3 : parts.count
    let length = Int.random(in: 0...3, using: &generator)
    return "\"" + (0..<length).map { _ in pick(Array(parts.prefix(count))) }.joined() + "\""
  }

  private mutating func damage(_ line: inout [UInt8]) {
    guard !line.isEmpty else { return line = [0x7B] }
    let index = Int.random(in: 0..<line.count, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: line[index] = UInt8.random(in: 0...255, using: &generator)
    case 1: line.remove(at: index)
    case 2: line[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 3: line.removeSubrange(index...)
    default: line.insert(line[Int.random(in: 0..<line.count, using: &generator)], at: index)
    }
  }

  private mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: 0..<choices.count, using: &generator)]
  }
}
