import Foundation
import TestSupport

/// Files for the tests, of the form that MisterMetrics writes.
enum Fixture {
  /// 2024-03-01T12:00:00Z: long ago, so that nothing on the screen moves with the clock but the age.
  static let longAgo = 730_987_200.0

  /// A line; `name` and `bucket` are JSON texts without their quotes.
  static func line(
    _ value: String, name: String, bucket: String? = "app", type: String = "Double", time: Double
  ) -> String {
    let bucket = bucket.map { "\"bucket\":\"\($0)\"," } ?? ""
    let base64 = Data(value.utf8).base64EncodedString().replacingOccurrences(of: "/", with: "\\/")
    return "{\"metric\":{\(bucket)\"name\":\"\(name)\",\"valueTypeString\":\"\(type)\"},"
      + "\"timestamp\":\(time),\"value\":\"\(base64)\"}\n"
  }

  /// Ten minutes of an app: durations, counts, truth values, texts, a struct, `null`.
  static func app(seed: UInt64 = 7) -> String {
    var generator = SeededGenerator(seed: seed)
    var text = ""
    for step in 0..<2400 {
      let time = longAgo + Double(step) / 4
      let ms = 40 + 60 * Double.random(in: 0..<1, using: &generator) + (step > 2300 ? 200 : 0)
      text += line("\(ms)", name: "push_ms", bucket: "sync", time: time)
      if step % 4 == 0 {
        text += line("\(Int(ms) / 9)", name: "queue_count", bucket: "sync", type: "Int", time: time)
      }
      if step % 10 == 0 {
        text += line(ms > 70 ? "true" : "false", name: "reachable", bucket: "net", type: "Bool", time: time)
      }
      if step % 25 == 0 {
        text += line(step % 50 == 0 ? "\"idle\"" : "\"busy\"", name: "state", type: "String", time: time)
      }
      if step % 40 == 0 {
        text += line("{\"cpu\":\(ms),\"ok\":true}", name: "load", type: "Load", time: time)
      }
      if step % 100 == 0 {
        text += line("null", name: "maybe", bucket: nil, type: "Optional<Int>", time: time)
      }
    }
    return text
  }

  /// Names, buckets and texts made to break a terminal.
  static var hostile: String {
    let escapes = [
      "\\u001b[2J\\u001b[31mred", "\\u001b]52;c;aGk=\\u0007", "\\u001bc", "a\\rb\\bc\\td\\ne", "\\u0000nul",
      "\\u009b31mcsi",
      "\u{202E}bidi\u{202C}", "zero\u{200B}width\u{FEFF}", "ZWJ 👩‍👩‍👧‍👦 family", "宽字符名称很长很长很长",
      "e\u{301}\u{301}\u{301}\u{301}combining",
      "\u{E0041}tag", "flag 🇩🇪🇫🇷", "\u{1160}filler\u{3164}", String(repeating: "\u{300}", count: 500) + "marks",
    ]
    return escapes.enumerated().map { index, name in
      let time = longAgo + Double(index)
      return line("1\(index)", name: name, bucket: name, time: time)
        + line("\"\(name)\"", name: "text\(index)", bucket: nil, type: "String", time: time)
    }.joined()
  }
}
