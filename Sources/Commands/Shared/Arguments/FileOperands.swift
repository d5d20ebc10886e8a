import DashboardCore
import JSONLines
import Platform
import TerminalUI

/// The files that operands stand for.
enum FileOperands {
  /// The operands, each file or folder once, whatever its names are.
  static func unique(_ operands: [String]) -> [String] {
    var (names, files) = (Set<PathKey>(), Set<FileIdentity>())
    return operands.filter { path in
      guard names.insert(PathKey(path)).inserted else { return false }
      guard path != "-", let status = Posix.status(at: path) else { return true }
      return files.insert(status.identity).inserted
    }
  }

  /// The files, with those of a folder in its place.
  ///
  /// - Parameter report: Receives what is left out of a folder.
  static func files(_ operands: [String], report: (String) -> Void) -> [String] {
    unique(
      operands.flatMap { path -> [String] in
        guard path != "-", Posix.status(at: path)?.kind == .directory,
          let listing = try? FolderFiles().list(path)
        else { return [path] }
        let isEmpty = listing.taken.isEmpty
        let leftOut = FolderLeftOut(folder: path, files: listing.leftOut, isEmpty: isEmpty)
        if let text = FeedFormatter.leftOut(leftOut) { report("\(SafeText.sanitized(path)) \(text)") }
        // Without files the folder itself is the problem.
        return isEmpty ? [path] : listing.taken.map { PathParts.join(path, $0) }
      })
  }
}
