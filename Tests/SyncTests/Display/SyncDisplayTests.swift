import Foundation
import Testing

@testable import Sync

@Suite("What is shown of a sync engine")
struct SyncDisplayTests {
  /// Failures of runs one after the other.
  private static func failures(_ codes: [SyncError.Code], isDismissed: Bool = false) -> SyncFailures {
    var failures = SyncFailures()
    for code in codes { failures.runFailed(SyncError(code)) }
    if isDismissed { failures.dismiss() }
    return failures
  }

  /// Everything at once: each line of the table takes away what decided the line before it.
  private static let lines: [(SyncStatus, String)] = {
    let limited = SyncState.rateLimited(retryAfter: .seconds(60), pending: 2)
    let kept = failures([.unauthorized])
    return [
      (
        SyncStatus(state: .pulling, pending: 2, isOnline: false, failures: kept),
        "Sync failed: session expired"
      ),
      (SyncStatus(state: .pulling, pending: 2, isOnline: false), "Offline, 2 changes waiting"),
      (SyncStatus(state: .pulling, pending: 2), "Downloading changes"),
      (SyncStatus(state: .syncing(synced: 1, total: 3), isOnline: false), "Syncing 1 of 3 (33 %)"),
      (
        SyncStatus(state: limited, pending: 2, remaining: .seconds(59), failures: failures([.server])),
        "Rate limited, 2 changes waiting, next attempt in 59s"
      ),
      (
        SyncStatus(
          state: .error(message: "x"), isOnline: false, sinceSuccess: .zero, failures: failures([.server])),
        "Sync failed: server error"
      ),
      (SyncStatus(isOnline: false, sinceSuccess: .seconds(1)), "All synced"),
      (SyncStatus(isOnline: false, sinceSuccess: .seconds(2)), "Offline"),
      (SyncStatus(pending: 1, sinceSuccess: .seconds(1)), "1 change waiting"),
      (SyncStatus(sinceSuccess: .seconds(2)), "No changes waiting"),
      (SyncStatus(sinceSuccess: .seconds(-1)), "No changes waiting"),
    ]
  }()

  @Test("the first line of the table that fits decides", arguments: 0..<lines.count)
  func order(line: Int) {
    let (status, label) = Self.lines[line]
    #expect(SyncDisplay(status).label == label)
  }

  @Test("a success is shown for less than two seconds, while idle, if nothing waits")
  func success() {
    #expect(SyncDisplay(SyncStatus(sinceSuccess: .zero)) == .synced)
    #expect(SyncDisplay(SyncStatus(sinceSuccess: .milliseconds(1999))) == .synced)
    #expect(SyncDisplay(SyncStatus(sinceSuccess: .seconds(2))) == .hidden(pending: 0))
    #expect(SyncDisplay(SyncStatus(pending: 1, sinceSuccess: .zero)) == .hidden(pending: 1))
    #expect(SyncDisplay(SyncStatus()) == .hidden(pending: 0))
  }

  private static let countdowns: [(Duration, String)] = [
    (.seconds(245), "in 4m 5s"), (.seconds(240), "in 4m 0s"), (.seconds(59), "in 59s"),
    (.milliseconds(1), "in 1s"), (.milliseconds(59_001), "in 1m 0s"), (.seconds(3661), "in 1h 1m 1s"),
    (.zero, "now"), (.seconds(-5), "now"), (longest, "in 277777h 46m 40s"), (.zero - longest, "now"),
  ]
  private static let longest = Duration.seconds(Int64.max) * 18

  @Test("a countdown", arguments: countdowns)
  func countdown(remaining: Duration, text: String) {
    #expect(SyncDisplay.countdown(remaining) == text)
  }

  @Test(
    "progress in percent",
    arguments: [
      (0, 10, 0), (3, 10, 30), (10, 10, 100), (999, 1000, 99), (2, 3, 66), (12, 10, 100), (-1, 10, 0),
      (Int.max - 1, Int.max, 99), (0, 0, nil), (5, -5, nil),
    ] as [(Int, Int, Int?)])
  func percent(synced: Int, total: Int, percent: Int?) {
    let progress = SyncProgress(synced: synced, total: total)
    #expect(progress.percent == percent)
    #expect(SyncDisplay.syncing(synced: synced, total: total).label.contains("%") == (percent != nil))
  }

  @Test("what is offered")
  func actions() {
    func shown(_ code: SyncError.Code) -> SyncDisplay {
      SyncDisplay(SyncStatus(state: .error(message: ""), failures: Self.failures([code])))
    }
    #expect(shown(.server).actions == [.retryNow, .dismiss])
    #expect(shown(.unauthorized).actions == [.signIn, .dismiss])
    #expect(shown(.forbidden).actions == [.signIn, .dismiss])
    #expect(SyncDisplay.rateLimited(pending: 0, remaining: .zero).actions == [.retryNow])
    #expect(SyncDisplay.hidden(pending: 3).actions == [.syncNow])
    #expect(SyncDisplay.downloading.actions.isEmpty && SyncDisplay.offline(pending: 1).actions.isEmpty)
    #expect(Set(SyncDisplay.Action.allCases.map(\.label)).count == SyncDisplay.Action.allCases.count)
  }

  @Test("a state of error whose failure is not known shows its message on demand")
  func messageOnly() {
    let display = SyncDisplay(SyncStatus(state: .error(message: "disk full")))
    #expect(display.label == "Sync failed: unexpected failure")
    #expect(display == .failed(SyncError(.other, detail: "disk full"), consecutive: 0))
  }
}

@Suite("Failures on display")
struct SyncFailuresTests {
  private let server = SyncError(.server, status: 503, detail: "down")

  @Test("from the third failure in a row the display escalates, and stays while runs go on")
  func escalation() {
    var failures = SyncFailures()
    var labels: [String] = []
    for _ in 0..<4 {
      failures.runFailed(server)
      labels.append(SyncDisplay(SyncStatus(state: .pulling, failures: failures)).label)
    }
    #expect(
      labels == [
        "Downloading changes", "Downloading changes", "Sync failed 3 times in a row: server error",
        "Sync failed 4 times in a row: server error",
      ])
  }

  @Test("dismissing hides a failure until the next one, and only a success resets the count")
  func dismiss() {
    var failures = SyncFailures()
    for _ in 0..<3 { failures.runFailed(server) }
    failures.dismiss()
    let status = SyncStatus(state: .error(message: "x"), failures: failures)
    #expect(SyncDisplay(status) == .hidden(pending: 0) && failures.consecutive == 3)
    failures.runFailed(server)
    #expect(failures.consecutive == 4 && failures.kept == server)
    failures.runSucceeded()
    #expect(failures == SyncFailures())
  }

  @Test("what a run came to is counted, partial ones with their reason")
  func runs() {
    func run(_ status: SyncRunSummary.Status, _ failure: SyncError? = nil) -> SyncRunSummary {
      SyncRunSummary(
        sequence: 1, trigger: .app, status: status, pushed: 0, pulled: 0, failed: 0, duration: .zero,
        failure: failure, isBootstrap: false, cursor: .start)
    }
    var failures = SyncFailures()
    failures.runEnded(run(.failed, server))
    failures.runEnded(run(.skipped, SyncError(.timeout)))
    failures.runEnded(run(.partial))
    #expect(failures.consecutive == 2 && failures.last?.code == .timeout)
    failures.runEnded(run(.success))
    #expect(failures == SyncFailures())
  }

  @Test("a snapshot is shown as what it says, whatever moment of success is stored")
  func snapshots() {
    let now = Date(timeIntervalSinceReferenceDate: 1000)
    func shown(_ state: SyncState, success: Date?, isOnline: Bool = true) -> SyncDisplay {
      SyncDisplay(
        SyncSnapshot(state: state, pending: 0, lastSuccess: success, failure: nil, lastProbe: nil),
        failures: SyncFailures(), remaining: .seconds(5), isOnline: isOnline, now: now)
    }
    #expect(shown(.idle, success: now.addingTimeInterval(-1)) == .synced)
    #expect(shown(.idle, success: now.addingTimeInterval(-2)) == .hidden(pending: 0))
    for far in [-Double.greatestFiniteMagnitude, .greatestFiniteMagnitude] {
      #expect(shown(.idle, success: Date(timeIntervalSinceReferenceDate: far)) == .hidden(pending: 0))
    }
    #expect(shown(.idle, success: nil, isOnline: false) == .offline(pending: 0))
    let limited = SyncState.rateLimited(retryAfter: .seconds(9), pending: 0)
    #expect(shown(limited, success: nil) == .rateLimited(pending: 0, remaining: .seconds(5)))
  }

  @Test("a rate limit and a cancelled run count as no failures")
  func others() {
    var failures = SyncFailures()
    failures.runFailed(SyncError(.rateLimited, status: 429))
    failures.runFailed(SyncError(.cancelled))
    #expect(failures == SyncFailures())
  }
}
