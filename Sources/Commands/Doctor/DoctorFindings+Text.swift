import JSONLines
import TerminalUI

extension DoctorFindings {
  /// The findings for a person, safe to print on a terminal.
  ///
  /// - Parameter rotated: names of rotated files beside it.
  func text(of path: String, rotated: [String]) -> String {
    let path = SafeText.sanitized(path)
    var text = "\(path): \(Self.count(lines, "line")), \(bytes) bytes\n"
    text += "  samples   \(samples)\n"
    text += "  shapes    \(shapeText)\n"
    text += "  times     \(timeText)\n"
    text += "  end       \(endText)\n"
    let names = rotated.map { SafeText.sanitized($0) }.joined(separator: ", ")
    text += "  rotated   \(rotated.isEmpty ? "no rotated files beside it" : names)\n"
    text += "  rejected  \(rejectedText)\n"
    for rejection in rejections.recent.prefix(Doctor.rejectionLimit) {
      let excerpt = SafeText.truncated(SafeText.decode(rejection.excerpt), to: 100)
      text += "    \(path):\(rejection.line):\(rejection.offset) \(rejection.reason.text): \(excerpt)\n"
    }
    let hidden = rejections.total - min(rejections.recent.count, Doctor.rejectionLimit)
    return hidden > 0 ? text + "    and \(hidden) more\n" : text
  }

  private var samples: String {
    let parts = SampleKind.allCases.compactMap { kind in kinds[kind].map { "\($0) \(Self.word(kind))" } }
    let total = kinds.values.reduce(0, +)
    let detail = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    return "\(total) of \(Self.count(metrics, "metric"))\(detail)"
  }

  private var shapeText: String {
    var parts = ["\(shapes.canonical) begin as MisterMetrics writes them"]
    if shapes.other > 0 { parts.append("\(shapes.other) otherwise") }
    if blankLines > 0 { parts.append("\(blankLines) blank") }
    if shapes.carriageReturns > 0 { parts.append("\(shapes.carriageReturns) end with CR LF") }
    if shapes.hasByteOrderMark { parts.append("a byte order mark at the start") }
    return parts.joined(separator: ", ")
  }

  private var timeText: String {
    guard order.first <= order.last else { return "none" }
    let times = SampleText()
    let range = "\(times.time(order.first)) to \(times.time(order.last))"
    guard let worst = order.worst else { return range + ", in order" }
    return range
      + ", \(order.late) older than one before, by \(worst.seconds) s at byte \(worst.offset) at most"
  }

  private var endText: String {
    tornBytes == 0 ? "with a newline" : "without a newline; the last line has \(tornBytes) bytes so far"
  }

  private var rejectedText: String {
    let parts = RejectionReason.allCases.compactMap { reason in
      rejections.counts[reason].map { "\($0) × \(reason.text)" }
    }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }

  private static func word(_ kind: SampleKind) -> String {
    switch kind {
    case .number: "numbers"
    case .wideInteger: "wide integers"
    case .bool: "truth values"
    case .text: "texts"
    case .null: "null"
    case .object: "structs"
    case .array: "arrays"
    }
  }
}
