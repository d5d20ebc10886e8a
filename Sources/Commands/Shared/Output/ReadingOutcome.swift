import DashboardCore
import History
import JSONLines
import TerminalUI

/// The outcome of reading a file's lines, for messages on standard error.
struct ReadingOutcome {
  private(set) var rejections = RejectionLog()
  /// True if no part of the file was skipped, so that line numbers are known.
  var isWhole = true
  /// Describes missing data at the end of the decompressed stream.
  var note: PlainStream.Note?
  private var lines = 0
  private var blankLines = 0
  private var unreadLines = 0
  private var formats: Set<ForeignFormat> = []

  /// Adds the results of the next part of the file.
  mutating func add(_ scanner: SampleScanner) {
    rejections.append(scanner.rejections, linesBefore: lines)
    lines += scanner.lines
    blankLines += scanner.blankLines
    unreadLines += scanner.unreadLines
    formats.formUnion(scanner.catalogue.formats)
  }

  /// True if there were lines, but none of them could be read.
  var isUnreadable: Bool { unreadLines > 0 && lines - blankLines == unreadLines }

  /// True if nothing could be read, or only part of a packed file.
  var isFailed: Bool { isUnreadable || note != nil }

  /// All messages: recognized formats, rejected lines, and advice if all lines were rejected.
  func lines(of path: String, mapping: LineMapping?) -> [String] {
    let outcome = ExportSource.Outcome(
      rejections: rejections, formats: formats, note: note, isUnreadable: isUnreadable)
    let lines = outcome.lines(of: path, knowsLines: isWhole)
    return lines + outcome.advice(path, mapping)
  }
}

extension ExportSource.Outcome {
  /// Messages about recognized formats, missing parts, and rejected lines.
  ///
  /// - Parameter knowsLines: True if line numbers are those of the file.
  func lines(of path: String, knowsLines: Bool) -> [String] {
    let facts = [ForeignFormatter.recognized(formats), note?.text].compactMap { $0 }
    return facts.map { "\(SafeText.sanitized(path)): \($0)" }
      + FileErrorFormatter.rejections(rejections, of: path, knowsLines: knowsLines)
  }

  /// Advice if no line of a file could be read.
  func advice(_ path: String, _ mapping: LineMapping?) -> [String] {
    guard isUnreadable else { return [] }
    return ForeignFormatter.advice(rejections, of: path, mapping).map { "\(SafeText.sanitized(path)): \($0)" }
  }
}
