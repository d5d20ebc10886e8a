package import JSONLines
import TerminalUI

/// Sentences about lines of other programs.
package enum ForeignFormatter {
  /// The recognized formats; `nil` if all lines are in MisterMetrics' format.
  package static func recognized(_ formats: some Collection<ForeignFormat>) -> String? {
    let names = formats.map(\.typeName).sorted()
    guard !names.isEmpty else { return nil }
    return "recognized as \(names.joined(separator: " and ")): numbers are metrics, texts are dimensions"
  }

  /// Advice for a file without a single sample.
  ///
  /// - Parameters:
  ///   - rejections: The lines; the advice is tried on the first ones.
  ///   - path: The file, as it was named to the program.
  ///   - mapping: The mapping used to read it; `nil` without one.
  package static func advice(_ rejections: RejectionLog, of path: String, _ mapping: LineMapping?) -> [String]
  {
    // A line of prose before the others says nothing about them.
    guard let rejection = rejections.first.first(where: { !isProse($0) }) ?? rejections.first.first
    else { return [] }
    let line = SafeText.truncated(SafeText.decode(rejection.excerpt), to: 120)
    let found = "no line could be read; one begins: \(line)"
    // No mapping can read such a line.
    guard ![.nestedTooDeep, .ambiguousDate].contains(rejection.reason) else { return [found] }
    let advice = LineAdvice(excerpts: rejections.first.map(\.excerpt))
    let map = advice.mapping.map {
      SafeText.sanitized(ShellWord.shown($0.text)) + (tried(advice).map { " (it reads \($0) tried)" } ?? "")
    }
    let names = advice.members.map { SafeText.sanitized($0) }.joined(separator: ", ")
    if let mapping, let wanted = rejection.reason.member(of: mapping), !names.isEmpty {
      let text =
        "no line could be read: '\(SafeText.sanitized(wanted))' is not the \(rejection.reason.role) of a line"
      let guess = map.map { "; try --map \($0)" } ?? ""
      return ["\(text) with the members \(names)\(guess)"]
    }
    var texts = [
      found,
      "a line of MisterMetrics looks like this: \(LineAdvice.expected)",
    ]
    let other = remedy(advice, rejection.excerpt, path)
    if isProse(rejection) || other != nil && advice.filter?.kind != .order {
      // No mapping reads it, whatever its members.
    } else if let map {
      texts.append("to read it as other JSON lines, try --map \(map)")
    } else if !advice.members.isEmpty {
      texts.append(
        "to read it as other JSON lines, name its time: --map 'time=MEMBER'; it has the members \(names)")
    }
    if let other { texts.append(other.sentence + (other.command.map { ": " + $0 } ?? "")) }
    return texts
  }

  /// A way to read a file other than by a mapping, with the command if there is one; `nil` if none is known.
  ///
  /// - Parameters:
  ///   - excerpt: The start of a rejected line.
  ///   - path: The file, as it was named to the program.
  package static func remedy(
    _ advice: LineAdvice, _ excerpt: [UInt8], _ path: String
  ) -> (sentence: String, command: String?)? {
    func shown(_ word: String) -> String { SafeText.sanitized(ShellWord.shown(word)) }
    let file = ShellWord.operand(path)
    if excerpt.starts(with: "# HELP ".utf8) || excerpt.starts(with: "# TYPE ".utf8) {
      return (
        "a scrape of Prometheus has no times; read the JSON that an OpenTelemetry collector writes", nil
      )
    }
    if excerpt.starts(with: "Type,Name,Request Count,".utf8), file.hasSuffix("_stats.csv") {
      let history = file.dropLast("_stats.csv".count) + "_stats_history.csv"
      return ("these are Locust's totals; to read their history, try", "mistertop \(shown(String(history)))")
    }
    guard let filter = advice.filter else { return nil }
    let sentence =
      switch filter.kind {
      case .list: "the records are in a list; to read them, try"
      case .order: "if no member is a time, read the lines in their order, a second each, with"
      }
    let map = filter.mapping.map { " --map " + shown($0.text) } ?? ""
    let operand = path == "-" ? "" : " " + shown(file)
    return (sentence, "jq -c \(shown(filter.program))\(operand) | mistertop -\(map)")
  }

  private static func isProse(_ rejection: Rejection) -> Bool {
    [.notJSON, .notJSONInside].contains(rejection.reason)
  }

  /// The lines that the proposed mapping reads; `nil` if it could not be tried.
  package static func tried(_ advice: LineAdvice) -> String? {
    advice.trial.map { "\($0.read) of \($0.total) \($0.total == 1 ? "line" : "lines")" }
  }
}

extension RejectionReason {
  /// The member that a mapping names for the missing part of a line; `nil` if another part is missing.
  fileprivate func member(of mapping: LineMapping) -> String? {
    switch self {
    case .noMappedTime: mapping.time?.text
    case .noMappedName: mapping.name?.text
    case .noMappedValue: mapping.value?.text
    default: nil
    }
  }

  /// The missing part.
  fileprivate var role: String {
    switch self {
    case .noMappedName: "name"
    case .noMappedValue: "value"
    default: "time"
    }
  }
}
