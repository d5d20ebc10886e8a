import Codecs
package import JSONLines
import Platform

/// The words in which a feed tells what happened to its files.
package enum FeedFormatter {
  /// Why nothing can be read; `nil` while all is well.
  package static func problem(_ state: TailState, of name: String) -> String? {
    // Standard input is read once.
    if name == "-", case .failing(let code) = state {
      return "- cannot be read: \(FileFailure.other(code).text)"
    }
    return problem(state, isNameRepaired: PathParts.isRepaired(name)).map {
      // No name: whoever copies the line would run what is in it.
      "\(name) \($0)" + (state == .notAFile(.fifo) ? ": mistertop - < FIFO" : "")
    }
  }

  /// The same of the first of several files.
  static func problem(_ state: TailState, of name: String, count: Int) -> String? {
    guard count > 1 else { return problem(state, of: name) }
    return problem(state, isNameRepaired: PathParts.isRepaired(name)).map {
      "\(NumberFormat.count(count)) files are not read; \(name) \($0)"
    }
  }

  /// The same without the name, which stands before it.
  static func problem(_ state: TailState, isNameRepaired: Bool = false) -> String? {
    switch state {
    case .starting, .following, .ended: nil
    case .missing where isNameRepaired: "has a name that is no UTF-8, and is not read"
    case .missing: "is not there yet; it is read as soon as it appears"
    case .noPermission: "may not be read by this user"
    case .notAFile(.directory): "is a folder now"
    case .notAFile(.fifo): "is a FIFO; read it through standard input"
    case .notAFile(.socket): "is a socket, not a file"
    case .notAFile(.generated): "is made up by the system as it is read, so it cannot be followed"
    case .notAFile(.device), .notAFile(.other), .notAFile(.regular): "is a device, not a file"
    case .failing(let code): "cannot be read: \(FileFailure.other(code).text); it is tried again"
    }
  }

  /// What a restart means to the person; `nil` for what they need not know.
  package static func event(_ restart: TailRestart) -> (kind: FeedEvent.Kind, text: String)? {
    switch restart.reason {
    case .began, .resumed, .continued: nil
    case .rotated: (.rotated, "rotated")
    case .recreated: (.rotated, "replaced by a new file")
    case .truncated:
      (.truncated, "cut or written anew, read from its start; what came since the last look may be lost")
    case .cutBack: (.truncated, "its end was taken back")
    case .compacted: (.rotated, "compacted")
    }
  }

  /// How many lines of how many files cannot be read; the file that stands before it is among them.
  static func rejected(lines: Int, files: Int) -> String {
    let subject = lines == 1 ? "a line" : "\(lines) lines"
    return switch files {
    case ...1: "\(subject) cannot be read"
    case 2: "\(subject) of this and another file cannot be read"
    default: "\(subject) of this and \(files - 1) other files cannot be read"
    }
  }

  package static func text(_ gap: TailGap) -> String {
    if let note = gap.note { return note }
    let amount = gap.bytes > 0 ? "\(gap.bytes) bytes or more" : "an unknown amount"
    return switch gap.reason {
    case .truncated: "\(amount) cut away before being read"
    case .overwritten: "\(amount) rotated away before being read"
    case .halfLine: "\(gap.bytes) bytes of a line without an end"
    case .unreadable: "\(amount) could not be read"
    case .placeLost: "what came after the saved position is gone, it is read from its start"
    }
  }
}
