import Dispatch
import Essentials
import Platform

/// A thread for an actor that blocks: the shared thread pool is small and must not be blocked.
///
/// The thread starts with the first job and ends with the executor; signals go to other threads.
final class ThreadExecutor: SerialExecutor {
  private let jobs = JobLine()

  deinit { jobs.end() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    let isFirst = jobs.append { job.runSynchronously(on: executor) }
    guard isFirst else { return }
    SystemThread.start("delivery") { [jobs] in
      while let job = jobs.next() { job() }
    }
  }
}

/// Jobs that the thread has yet to run.
private final class JobLine: Sendable {
  typealias Job = @Sendable () -> Void

  private struct Content {
    var jobs: [Job] = []
    var hasBegun = false
    var hasEnded = false
  }

  private let content = Locked(Content())
  private let signal = DispatchSemaphore(value: 0)

  /// Appends a job; returns whether it is the first ever.
  func append(_ job: @escaping Job) -> Bool {
    let isFirst = content.withLock { content in
      content.jobs.append(job)
      defer { content.hasBegun = true }
      return !content.hasBegun
    }
    signal.signal()
    return isFirst
  }

  func end() {
    content.withLock { $0.hasEnded = true }
    signal.signal()
  }

  /// Waits for a job; `nil` at the end.
  func next() -> Job? {
    while true {
      signal.wait()
      let (job, hasEnded) = content.withLock { content in
        (content.jobs.isEmpty ? nil : content.jobs.removeFirst(), content.hasEnded)
      }
      if let job { return job }
      if hasEnded { return nil }
    }
  }
}
