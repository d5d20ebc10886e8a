package import Platform

/// Times of the looks at size and time, where no events tell of changes.
package struct PollOptions: Hashable, Sendable {
  /// Seconds between two looks at every file, in place of events; `nil` to look only where events are missing.
  package var forced: Double?
  /// Seconds between two looks at a file whose changes send no events.
  package var interval = 1.0
  /// The same once it has not changed for ``idleAfter`` seconds, and for a path without a file.
  package var idleInterval = 5.0
  package var idleAfter = 600.0
  /// Maximum looks per second at such files together; with more files, each is looked at less often.
  package var looksPerSecond = 500.0
  /// Maximum seconds between two looks at a file that may change without an event.
  package var doubtInterval = 60.0
  /// False to rely on events alone, as only tests do.
  package var isOn = true

  /// - Parameter forced: As for ``forced``.
  package init(forced: Double? = nil) {
    self.forced = forced
  }

  /// The shortest and the longest time between two looks that may be asked for, in seconds.
  package static let allowed = 0.1...3600.0

  /// The reason to look at the files of a path; `nil` if events tell of their changes.
  package func reason(for mount: MountKind) -> PollReason? {
    if forced != nil { return .requested }
    return mount.events == .none ? .fileSystem(mount.name) : nil
  }

  /// Seconds between two looks at a file that is not idle.
  package var pace: Double { forced ?? interval }
}
