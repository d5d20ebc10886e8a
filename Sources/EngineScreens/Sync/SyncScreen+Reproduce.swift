import DashboardCore
import Platform
import Sync
import SyncSimulation

/// The result of turning a record into a test.
private struct ReproducedTest: Sendable {
  var files: [NewFile] = []
  /// The message about the test, or the reason why there is none.
  let words: String
}

// Turns the record of an app into a scenario and a test.
extension SyncScreen {
  /// Makes a test of the record up to the shown moment, off the loop.
  ///
  /// - Parameter since: Start of the expected decisions; `nil` for the last ten minutes.
  func writeRecordedTest(_ name: String, since: Timestamp?) -> [Effect] {
    let (entries, end) = (session.feed.engines.sync, engineTime.seconds)
    let window = since.map { end - $0.seconds } ?? 600
    return [
      work("reproduction") {
        let recorded = entries.after(0).compactMap { RecordedEntry($0) }
        return ReproducedTest(of: recorded, until: end, window: window, name: name)
      }
    ]
  }

  /// Requests the writing of a finished test.
  ///
  /// - Returns: `nil` if the result is not a test.
  mutating func adoptTest(_ result: any Sendable) -> [Effect]? {
    guard let test = result as? ReproducedTest else { return nil }
    guard !test.files.isEmpty else {
      session.showToast("No test was written: \(test.words)")
      return []
    }
    return [.write(test.files, test.words)]
  }
}

extension ReproducedTest {
  init(of entries: [RecordedEntry], until end: Double, window: Double, name: String) {
    do {
      let found = try Reproduction(of: entries, until: end, window: window, name: name)
      let test = try SessionTest(scenario: found.scenario, name: name, since: found.scenario.expectedFrom)
      files = [
        NewFile(name: "\(name).json5", text: test.json5),
        NewFile(name: "\(name)Tests.swift", text: test.swift),
      ]
      words = found.words
    } catch let failure as SessionTest.Failure {
      words = failure.message
    } catch Reproduction.Failure.nothing {
      words = "no decision was recorded in that time"
    } catch {
      words = String(describing: error)
    }
  }
}

extension RecordedEntry {
  fileprivate init?(_ raw: RawEngineEntry) {
    let value: Value
    switch SyncRecord(raw) {
    case .transition(let record): value = .transition(record)
    case .mutation(let record): value = .mutation(record)
    case .breaker(let record): value = .breaker(record)
    case .conflict(let record): value = .conflict(record)
    case .configuration(let record): value = .configuration(record)
    default: return nil
    }
    guard value.isOfMainBranch else { return nil }
    self.init(time: raw.time.seconds, value)
  }
}
