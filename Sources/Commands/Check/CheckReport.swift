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
  /// The files and parts of files that could not be read.
  var unread: [String] = []
  /// True if an answer that needs more payloads is no failure.
  let allowsFew: Bool
  /// True if files that could not be read are no failure.
  var allowsUnreadable = false

  /// The exit code: a condition that holds comes first, then a wrong one, then one without an answer.
  var code: ExitCode {
    if answers.contains(where: { $0.kind == .holds }) { return .failed }
    if answers.contains(where: \.isWrong) { return .wrongUsage }
    return answers.contains(where: isOpen) || isIncomplete ? .unanswered : .success
  }

  /// True if the payloads that could not be read leave the answers open.
  private var isIncomplete: Bool { !unread.isEmpty && !allowsUnreadable }

  /// `a.json: line 1: nothing to read; 5 more`; `nil` if everything could be read.
  private var unreadSentence: String? {
    unread.first.map { "\($0)" + (unread.count > 1 ? "; \(unread.count - 1) more" : "") }
  }

  private static let unreadTitle = "unreadable"

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
    rows.map { row in
      row[0] + String(repeating: " ", count: 6 - row[0].count) + row[1] + ": " + row[2] + "\n"
    }.joined()
  }

  /// The word, the condition and the sentence of each answer, and of what could not be read.
  private var rows: [[String]] {
    var rows = answers.map { [word($0), $0.condition, $0.sentence] }
    if let sentence = unreadSentence {
      rows.append([isIncomplete ? "?" : "note", Self.unreadTitle, sentence])
    }
    return rows.map { $0.map { SafeText.sanitized($0) } }
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
    object["unreadable"] = .array(unread.map { .string($0) })
    return JSONValue.object(object).compactText + "\n"
  }

  private var junit: String {
    var cases = answers.map { answer in
      let name = "<testcase classname=\"mistertop\" name=\"\(Self.xml(answer.condition))\""
      let sentence = Self.xml(answer.sentence)
      return switch answer.kind {
      case .holds: "  \(name)><failure message=\"\(sentence)\"/></testcase>\n"
      case .clear: "  \(name)><system-out>\(sentence)</system-out></testcase>\n"
      case .unknown where isOpen(answer): "  \(name)><error message=\"\(sentence)\"/></testcase>\n"
      case .unknown: "  \(name)><skipped message=\"\(sentence)\"/></testcase>\n"
      }
    }
    if let sentence = unreadSentence.map(Self.xml) {
      let kind = isIncomplete ? "error" : "skipped"
      cases.append(
        "  <testcase classname=\"mistertop\" name=\"\(Self.unreadTitle)\"><\(kind) message=\"\(sentence)\"/></testcase>\n"
      )
    }
    let failures = answers.count { $0.kind == .holds }
    let errors = answers.count(where: isOpen) + (isIncomplete ? 1 : 0)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<testsuite name=\"mistertop check\" tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\">\n"
      + cases.joined() + "</testsuite>\n"
  }

  /// Messages that GitHub shows beside a run.
  private var github: String {
    let commands = ["FAIL": "error", "?": "warning"]
    return rows.map { row in
      let text = "\(row[1]): \(row[2])"
        .replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
      return "::\(commands[row[0]] ?? "notice") title=mistertop check::\(text)\n"
    }.joined()
  }

  private var markdown: String {
    "| | condition | compared |\n|---|---|---|\n"
      + rows.map { row in
        "| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
      }.joined()
  }

  private static func xml(_ text: String) -> String {
    SafeText.sanitized(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
      ">", with: "&gt;"
    )
    .replacing("\"", with: "&quot;")
  }
}
