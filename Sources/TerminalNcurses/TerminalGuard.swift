internal import CTerminalGuard

/// The process that waits for the end of this one and then restores the terminal, whatever the cause.
///
/// Handlers in the program itself restore the terminal in most cases. But no process can handle SIGKILL, or a stack
/// overflow on a thread without an alternate stack: that is the task of its parent, which does nothing else.
package enum TerminalGuard {
  /// Information that the guard needs for a crash report.
  package struct Report: Sendable {
    /// The program's name, which starts the line that tells where the report is.
    package var program: String
    package var version: String
    /// The folder for reports; created with the first one.
    package var folder: String
    /// The log file whose last lines go into the report.
    package var log: String

    package init(program: String, version: String, folder: String, log: String) {
      self.program = program
      self.version = version
      self.folder = folder
      self.log = log
    }
  }

  /// Forks the process: what follows runs in a child of its guard, with the same terminal and process group.
  ///
  /// Call it before any thread exists; the parent never returns from here. Without a terminal, or if no process can be
  /// created, nothing changes.
  ///
  /// - Returns: True if there is a guard.
  @discardableResult
  package static func split(_ report: Report) -> Bool {
    report.program.withCString { program in
      report.version.withCString { version in
        report.folder.withCString { folder in
          report.log.withCString { log in
            var report = terminal_report(program: program, version: version, folder: folder, log: log)
            return terminal_guard_split(&report) == 0
          }
        }
      }
    }
  }

  /// Names a folder that the guard removes if the program dies before it could; `nil` for none.
  package static func setCleanupFolder(_ folder: String?) {
    terminal_guard_set_litter(folder)
  }
}
