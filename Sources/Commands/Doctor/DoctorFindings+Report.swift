import Codecs
import DashboardCore
import JSONLines
import Platform
import TerminalUI

extension DoctorFindings {
  /// The findings as text that is safe to print on a terminal.
  ///
  /// - Parameters:
  ///   - rotated: The names of the rotated files beside it.
  ///   - polling: The way in which it is looked at when followed, if events do not tell of all its changes.
  ///   - written: The time at which it was last written, if that is known.
  func text(
    of path: String, rotated: [String], polling: String? = nil, written: Timestamp? = nil
  ) -> String {
    let zone = written.flatMap { zoneText(skew(of: path, written: $0)) }
    let (operand, path) = (path, SafeText.sanitized(path))
    var text = "\(path): \(Plural.count(lines, "line")), \(bytes) bytes\n"
    text += "  samples   \(samples)\n"
    text += "  shapes    \(shapeText)\n"
    if let recognized = ForeignFormatter.recognized(formats) { text += "  format    \(recognized)\n" }
    if let note { text += "  packed    \(note.text)\n" }
    text += "  times     \(timeText)\n"
    if let zone { text += "  zone      \(zone)\n" }
    text += "  end       \(endText)\n"
    let names = rotated.map { SafeText.sanitized($0) }.joined(separator: ", ")
    text += "  rotated   \(rotated.isEmpty ? "none" : names)\n"
    if let polling { text += "  followed  \(polling)\n" }
    text += "  rejected  \(rejectedText(false))\n"
    if rejections.counts.keys.contains(where: \.isFlaw) { text += "  in part   \(rejectedText(true))\n" }
    for rejection in rejections.recent.prefix(DoctorCommand.rejectionLimit) {
      let excerpt = SafeText.truncated(SafeText.decode(rejection.excerpt), to: 100)
      text += "    \(path):\(rejection.line):\(rejection.offset) \(rejection.reason.text): \(excerpt)\n"
    }
    let hidden = rejections.total - min(rejections.recent.count, DoctorCommand.rejectionLimit)
    if hidden > 0 { text += "    and \(hidden) more\n" }
    guard isUnreadable else { return text }
    // The excerpt above already shows the line.
    let advice = ForeignFormatter.advice(rejections, of: operand, mapping).dropFirst(
      mapping?.time == nil ? 1 : 0)
    return text + advice.map { "  \($0)\n" }.joined()
  }

  private var samples: String {
    let parts = SampleKind.allCases.compactMap { kind in kinds[kind].map { Plural.count($0, Self.noun(kind)) }
    }
    let total = kinds.values.reduce(0, +)
    let detail = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    return "\(total) of \(Plural.count(metrics, "metric"))\(detail)"
  }

  private var shapeText: String {
    var parts = ["\(shapes.canonical) as MisterMetrics writes them"]
    if shapes.other > 0 { parts.append("\(shapes.other) in another form") }
    if blankLines > 0 { parts.append("\(blankLines) blank") }
    if shapes.carriageReturns > 0 { parts.append("\(shapes.carriageReturns) end with CR LF") }
    if shapes.hasByteOrderMark { parts.append("a byte order mark at the start") }
    return parts.joined(separator: ", ")
  }

  private var timeText: String {
    guard order.first <= order.last else { return "none" }
    let times = SampleFormatter()
    let range = "\(times.time(order.first)) to \(times.time(order.last))"
    guard let worst = order.worst else { return range + ", in order" }
    // The difference between the largest and the smallest time exceeds the range of a double.
    let lateness =
      worst.seconds.isFinite
      ? "at most \(DurationFormat.text(worst.seconds)) late" : "one by more seconds than can be counted"
    return range + ", \(order.late) out of order, \(lateness) (byte \(worst.offset))"
  }

  /// The zone that times without one seem to be in.
  ///
  /// A file that was copied has a time of its own, so the difference must be quarters of an hour to the second.
  private func zoneText(_ skew: SourceSkew) -> String? {
    guard let zone = skew.fittingZone, abs(skew.seconds.remainder(dividingBy: 900)) <= 5 else { return nil }
    let side = skew.seconds < 0 ? " of" : ""
    return "missing; the last stamp is \(skew.words)\(side) the file's own time: --zone \(zone) fits"
  }

  private var endText: String {
    guard isTorn else {
      if bytes == 0 { return note == nil ? "none: the file is empty" : "none: nothing could be unpacked" }
      return note == nil
        ? "complete: the last line ends with a newline" : "cut: what was unpacked ends with a newline"
    }
    return tornBytes == 0
      ? "torn: what follows the last newline has no end" : "torn: \(tornBytes) bytes after the last newline"
  }

  /// - Parameter isInPart: True for lines that were read except for a value.
  private func rejectedText(_ isInPart: Bool) -> String {
    let parts = RejectionReason.allCases.filter { $0.isFlaw == isInPart }.compactMap { reason in
      rejections.counts[reason].map { "\($0) × \(reason.text)" }
    }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  private static func noun(_ kind: SampleKind) -> String {
    switch kind {
    case .number: "number"
    case .wideInteger: "wide integer"
    case .bool: "boolean"
    case .text: "string"
    case .null: "null"
    case .object: "struct"
    case .array: "array"
    }
  }
}
