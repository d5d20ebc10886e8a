import Essentials
import JSONLines
import Platform
import TerminalUI

/// Problems with files as text that follows the name and a colon.
enum FileErrorFormatter {
  /// Why a file was not read or written.
  ///
  /// - Parameter readsInput: Whether the command would read standard input as well.
  static func problem(_ error: any Error, readsInput: Bool = true) -> String {
    if let failure = error as? FileFailure { return failure.text }
    guard let error = error as? POSIXError else { return "\(error)" }
    switch error.code {
    case .ENOENT: return "no such file"
    case .EACCES, .EPERM: return "permission denied"
    case .EISDIR: return "is a folder, not a file"
    case .ENODEV: return "is a device, not a file"
    case .ENXIO: return "is a socket or a device, not a file"
    case .EOPNOTSUPP: return "is made up by the system as it is read, so it is no file"
    case .ESPIPE: return "is not a regular file" + (readsInput ? "; pass it as standard input (-)" : "")
    default: return String(cString: strerror(error.code.rawValue))
    }
  }

  /// The same where no name stands before it.
  static func sentence(_ error: any Error) -> String {
    (error as? FileFailure)?.message ?? problem(error)
  }

  /// One line for each reason why lines were rejected, with the file's name and the first place.
  ///
  /// - Parameter knowsLines: Whether the line numbers are those of the file.
  static func rejections(_ rejections: RejectionLog, of path: String, knowsLines: Bool = true) -> [String] {
    let recent = rejections.recent
    return RejectionReason.allCases.compactMap { reason in
      guard let count = rejections.counts[reason] else { return nil }
      let first = recent.first { $0.reason == reason }
      let place = first.map { ", first at \(knowsLines ? "line \($0.line), " : "")byte \($0.offset)" } ?? ""
      let lines = count == 1 ? "1 line that" : "\(count) lines each of which"
      return "\(SafeText.sanitized(path)): rejected \(lines) \(reason.text)\(place)"
    }
  }
}
