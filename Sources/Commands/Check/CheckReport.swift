import Codecs
import PayloadsScreen
import TerminalUI

/// The answers of `mistertop check` in the formats of build servers.
struct CheckReport {
  enum Format: String, CaseIterable, Sendable {
    case text, json, junit, github, markdown
  }

  let answers: [PayloadCheck.Answer]
  /// The version that was judged.
  let version: String?
  /// True if an answer that needs more payloads is no failure.
  let allowsFew: Bool

  /// The exit code: a condition that holds comes first, then a wrong one, then one without an answer.
  var code: ExitCode {
    if answers.contains(where: { $0.kind == .holds }) { return .failed }
    if answers.contains(where: \.isWrong) { return .wrongUsage }
    return answers.contains(where: isOpen) ? .unanswered : .success
  }

  private func isOpen(_ answer: PayloadCheck.Answer) -> Bool {
    answer.kind == .unknown && !(answer.isTooFew && allowsFew)
  }

  func text(_ format: Format) -> String {
    switch format {
    case .text: lines
    case .json: json
    case .junit: junit
    case .github: github
    case .markdown: markdown
    }
  }

  private func word(_ answer: PayloadCheck.Answer) -> String {
    switch answer.kind {
    case .holds: "FAIL"
    case .clear: "ok"
    case .unknown: isOpen(answer) ? "?" : "few"
    }
  }

  private var lines: String {
    answers.map {
      let word = word($0)
      return SafeText.sanitized(
        word + String(repeating: " ", count: 6 - word.count) + $0.condition + ": " + $0.sentence) + "\n"
    }.joined()
  }

  private var json: String {
    let list: [JSONValue] = answers.map { answer in
      .object([
        "condition": .string(answer.condition), "result": .string(answer.kind.rawValue),
        "sentence": .string(answer.sentence), "tooFew": .bool(answer.isTooFew),
      ])
    }
    var object: [String: JSONValue] = ["answers": .array(list), "exitCode": .integer(Int64(code.rawValue))]
    object["version"] = version.map(JSONValue.string)
    return JSONValue.object(object).compactText + "\n"
  }

  private var junit: String {
    let cases = answers.map { answer in
      let name = "<testcase classname=\"mistertop\" name=\"\(Self.xml(answer.condition))\""
      let sentence = Self.xml(answer.sentence)
      return switch answer.kind {
      case .holds: "  \(name)><failure message=\"\(sentence)\"/></testcase>\n"
      case .clear: "  \(name)><system-out>\(sentence)</system-out></testcase>\n"
      case .unknown where isOpen(answer): "  \(name)><error message=\"\(sentence)\"/></testcase>\n"
      case .unknown: "  \(name)><skipped message=\"\(sentence)\"/></testcase>\n"
      }
    }
    let (failures, errors) = (answers.count { $0.kind == .holds }, answers.count(where: isOpen))
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<testsuite name=\"mistertop check\" tests=\"\(answers.count)\" failures=\"\(failures)\" errors=\"\(errors)\">\n"
      + cases.joined() + "</testsuite>\n"
  }

  /// Messages that GitHub shows beside a run.
  private var github: String {
    answers.map { answer in
      let text = "\(answer.condition): \(answer.sentence)"
        .replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
      let command = answer.kind == .holds ? "error" : isOpen(answer) ? "warning" : "notice"
      return "::\(command) title=mistertop check::\(SafeText.sanitized(text))\n"
    }.joined()
  }

  private var markdown: String {
    "| | condition | compared |\n|---|---|---|\n"
      + answers.map { answer in
        let cells = [word(answer), answer.condition, answer.sentence].map {
          SafeText.sanitized($0).replacing("|", with: "\\|")
        }
        return "| " + cells.joined(separator: " | ") + " |\n"
      }.joined()
  }

  private static func xml(_ text: String) -> String {
    SafeText.sanitized(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
      ">", with: "&gt;"
    )
    .replacing("\"", with: "&quot;")
  }
}
