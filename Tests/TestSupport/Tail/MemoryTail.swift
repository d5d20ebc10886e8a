package import JSONLines
package import Platform

/// A set of tails over files in memory, woken only at its own deadlines, as if no event ever came.
@dynamicMemberLookup
package final class MemoryTail {
  package let set: TailSet
  package private(set) var now = MonotonicInstant(1000)
  private var outcome = TailOutcome()
  /// Number of looks.
  package private(set) var looks = 0

  package init(
    _ sources: [TailSource], in files: MemoryFileSystem, _ polling: PollOptions = PollOptions(),
    watcher: any ChangeWatcher = NoWatcher(), start: TailStateMachine.Start = .beginning
  ) {
    set = TailSet(
      sources: sources, fileSystem: files, watcher: watcher, polling: polling,
      options: TailStateMachine.Options(start: start))
    look()
  }

  /// Lets time pass; looks when a deadline is reached.
  package func pass(_ seconds: Double) {
    let end = now + seconds
    while let deadline = set.deadline(now: now), deadline <= end {
      now = max(now, deadline)
      look()
    }
    now = end
  }

  /// Looks now, as if something else had woken the thread.
  package func look() {
    looks += 1
    set.look(at: now)
    repeat { set.run(at: now) { outcome.take($0, $1) } } while set.isBusy
  }

  package subscript<Part>(dynamicMember part: KeyPath<TailOutcome, Part>) -> Part { outcome[keyPath: part] }
}
