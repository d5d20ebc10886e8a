internal import CTerminalGuard

/// The process that waits for the end of this one and then restores the terminal, whatever the cause.
///
/// Handlers in the program itself restore the terminal in most cases. Nothing in a process can act on SIGKILL, or on a stack
/// overflow on a thread without a second stack: that is the task of its parent, which does nothing else.
package enum TerminalGuard {
  /// Facts that the guard needs for a crash report.
  package struct Report: Sendable {
    /// The program's name, as it begins the line that says where the report is.
    package var program: String
    package var version: String
    /// The folder that takes the reports; made when the first one is written.
    package var folder: String
    /// The file whose last lines go into the report.
    package var log: String

    package init(program: String, version: String, folder: String, log: String) {
      self.program = program
      self.version = version
      self.folder = folder
      self.log = log
    }
  }

  /// Splits the process: what follows runs in a child of its guard, with the same terminal and process group.
  ///
  /// Call it before any thread exists; the parent never returns from here. Without a terminal, or where there is no
  /// process to be had, nothing changes.
  ///
  /// - Returns: whether there is a guard.
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

  /// Names a folder that the guard removes when the program dies before it could; `nil` for none.
  package static func setCleanupFolder(_ folder: String?) {
    terminal_guard_set_litter(folder)
  }
}
