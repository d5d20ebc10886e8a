import Platform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A configuration as it lies on the disk: what of it holds, and what is wrong with it.
package struct ConfigurationFile: Sendable, Equatable {
  /// Where it lies; empty without a place for it.
  package let path: String
  package private(set) var configuration = Configuration()
  package private(set) var problems: [ConfigurationProblem] = []
  /// Whether there is such a file.
  package private(set) var isThere = true

  /// More bytes than this are no hand's work.
  package static let sizeLimit: UInt64 = 1 << 20

  /// Reads the file; never waits for anything, and never fails: what is wrong is named and left out.
  ///
  /// - Parameter user: Who reads it; commands of a file that others could write do not run.
  package init(path: String, user: UInt32 = UInt32(geteuid())) {
    self.path = path
    guard !path.isEmpty else {
      isThere = false
      return
    }
    do throws(FileFailure) {
      let descriptor = try Posix.open(path)
      defer { Posix.close(descriptor) }
      let status = try Posix.status(of: descriptor)
      guard let text = try text(descriptor, status) else { return }
      let isOwn = (status.owner == user || status.owner == 0) && status.permissions & 0o022 == 0
      let reader = ConfigurationReader(text, allowsCommands: isOwn)
      (configuration, problems) = (reader.configuration, reader.problems)
    } catch {
      if error.kind == .missing { isThere = false }
      refuse("cannot be read: \(FileErrorFormatter.problem(error))")
    }
  }

  private mutating func text(_ descriptor: Int32, _ status: FileStatus) throws(FileFailure) -> String? {
    guard status.kind == .regular || status.kind == .generated else {
      refuse(status.kind == .directory ? "is a folder, not a file" : "is not a regular file")
      return nil
    }
    let bytes = try Posix.read(descriptor, at: 0, count: Int(Self.sizeLimit) + 1)
    guard bytes.count <= Self.sizeLimit else {
      refuse("has more than 1 MB, which is too long for a configuration")
      return nil
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      refuse("is no text in UTF-8")
      return nil
    }
    // An editor may have put a byte order mark in front.
    return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }

  private mutating func refuse(_ text: String) {
    problems.append(ConfigurationProblem(text: text))
  }

  /// A sentence for the screen: the first problem, and how many there are; `nil` without any.
  package var sentence: String? {
    guard let first = problems.first else { return nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let more = problems.count > 1 ? " (and \(problems.count - 1) more: mistertop --check-config)" : ""
    return first.message(path: name) + more
  }
}
