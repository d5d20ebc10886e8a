import Foundation
import JSONLines
import Platform
import TerminalUI

/// What is the matter with a file, in words that follow its name and a colon.
enum FileWords {
  /// Why it was not read or written.
  static func problem(_ error: any Error) -> String {
    if let failure = error as? FileFailure { return failure.text }
    if let problem = error as? PayloadBytes.Problem { return problem.text }
    guard let error = error as? POSIXError else { return "\(error)" }
    switch error.code {
    case .ENOENT: return "there is no such file"
    case .EACCES, .EPERM: return "reading it is not permitted"
    case .EISDIR: return "is a folder, not a file"
    case .ESPIPE:
      return "is no file that can be read from the start to its end; give it as standard input (-)"
    default: return String(cString: strerror(error.code.rawValue))
    }
  }

  /// One line for each reason for which lines were rejected, with the file's name and the first place of it.
  ///
  /// - Parameter knowsLines: Whether the numbers of lines are those of the file.
  static func rejections(_ rejections: RejectionLog, of path: String, knowsLines: Bool = true) -> [String] {
    let recent = rejections.recent
    return RejectionReason.allCases.compactMap { reason in
      guard let count = rejections.counts[reason] else { return nil }
      let first = recent.first { $0.reason == reason }
      let place = first.map { ", as at \(knowsLines ? "line \($0.line), " : "")byte \($0.offset)" } ?? ""
      let lines = count == 1 ? "1 line that" : "\(count) lines each of which"
      return "\(SafeText.sanitized(path)): rejected \(lines) \(reason.text)\(place)"
    }
  }
}
