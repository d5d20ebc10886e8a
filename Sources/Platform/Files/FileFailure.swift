import Essentials

/// A failed file operation, with the reason and the attempt.
///
/// Two failures are equal if callers react to them alike, whatever the attempt was.
package struct FileFailure: Error, Hashable, Sendable {
  /// Kinds of failure that callers distinguish.
  package enum Kind: Hashable, Sendable {
    case missing
    case denied
    /// Out of descriptors.
    case exhausted
    /// Any other `errno`.
    case other(Int32)
  }

  /// The attempted operation.
  package enum Attempt: Sendable {
    case open(String)
    case lock, status, read, truncate
    case lockOf(String)
    case write(String)
    case rename(String, to: String)
    /// Replacing a file that other programs write to, truncate or move at the same time.
    case replace(String)
    case sync(String)
    case openFolder(String)
    /// Storing private files in a folder of another account.
    case useFolder(String)
    /// Trusting a file that another account could have written.
    case useFile(String)
    /// Storing files where anyone may rename those of others.
    case useOpenFolder(String)
    case syncFolder(String)
    case createFolder(of: String)
    /// Following a symbolic link.
    case follow(String)
    case remove(String)
    /// Giving a new file the owner and attributes of the file that it replaces.
    case takeOver(String)
  }

  /// The system's error number, `errno`.
  package let number: Int32
  /// The attempted operation, if known.
  package let attempt: Attempt?

  /// The failure of the system call that has just returned.
  package init(_ attempt: Attempt? = nil, number: Int32 = errno) {
    self.attempt = attempt
    self.number = number
  }

  package static let missing = FileFailure(number: ENOENT)
  package static let denied = FileFailure(number: EACCES)
  package static let exhausted = FileFailure(number: EMFILE)
  /// A file is shorter than what was written to it.
  package static let tornFile = FileFailure(number: EIO)
  package static func other(_ number: Int32) -> FileFailure { FileFailure(number: number) }
  /// The failure of the system call that has just returned.
  package static var last: FileFailure { FileFailure() }

  package var kind: Kind {
    switch number {
    case ENOENT, ENOTDIR: .missing
    case EACCES, EPERM: .denied
    case EMFILE, ENFILE: .exhausted
    default: .other(number)
    }
  }

  /// True if another process has held a lock for too long.
  package var isLockHeld: Bool {
    switch attempt {
    case .lock, .lockOf: number == EWOULDBLOCK
    default: false
    }
  }

  package static func == (left: FileFailure, right: FileFailure) -> Bool { left.kind == right.kind }

  package func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

// MARK: Text

extension FileFailure: CustomStringConvertible {
  package var description: String { message }

  /// The reason, usually in the system's words, to follow the name and a colon.
  package var text: String {
    switch attempt {
    case .follow where number == EILSEQ: return Self.noText
    case .follow where number != ELOOP: return "it is, or is reached through, a link of another account"
    case .useOpenFolder: return message
    case .useFolder, .useFile: return "it belongs to another account"
    default: break
    }
    return switch kind {
    case .missing: String(cString: strerror(ENOENT))
    case .denied: String(cString: strerror(EACCES))
    case .exhausted: String(cString: strerror(EMFILE))
    // Opening without following links reports the same error.
    case .other(ELOOP): "it is a link where none is followed, or one that leads to itself"
    case .other(let number): String(cString: strerror(number))
    }
  }

  private static let noText = "it leads to a name that is not valid UTF-8"

  /// The operation that failed, and the reason.
  package var message: String {
    let reason = String(cString: strerror(number))
    guard let attempt else { return reason }
    // `openRegular` and `head` refuse with this number.
    if case .open = attempt, number == EINVAL { return "cannot \(attempt.text): it is not a regular file" }
    if case .open = attempt, number == EMLINK {
      return "cannot \(attempt.text): it has a second hard link, and others can write to its folder"
    }
    // The user's own link may point to itself.
    if case .follow(let path) = attempt, number == ELOOP || number == EILSEQ {
      return "cannot follow the link \(path): \(number == ELOOP ? reason : Self.noText)"
    }
    if case .useOpenFolder = attempt { return "cannot \(attempt.text)" }
    if isLockHeld {
      let name = if case .lockOf(let path) = attempt { path } else { "the file" }
      return "another process has held the lock of \(name) for too long"
    }
    return "cannot \(attempt.text): \(reason)"
  }
}

extension FileFailure.Attempt {
  fileprivate var text: String {
    switch self {
    case .open(let path): "open \(path)"
    case .lock: "lock the file"
    case .lockOf(let path): "lock \(path)"
    case .status: "inspect the file"
    case .read: "read the file"
    case .truncate: "truncate the file"
    case .write(let path): "write to \(path)"
    case .rename(let source, let target): "rename \(source) to \(target)"
    case .replace(let path): "replace \(path), which others write to without its lock"
    case .sync(let path): "sync \(path)"
    case .openFolder(let path): "open the folder \(path)"
    case .useFolder(let path): "use the folder \(path) of another account"
    case .useFile(let path): "use \(path), a file of another account"
    case .useOpenFolder(let path):
      "use the folder \(path): others may rename what is in it (TMPDIR names another)"
    case .syncFolder(let path): "sync the folder \(path)"
    case .createFolder(let path): "create the folder of \(path)"
    case .follow(let path): "follow the link \(path) of another account"
    case .remove(let path): "remove \(path)"
    case .takeOver(let path): "keep the owner and the attributes of \(path)"
    }
  }
}
