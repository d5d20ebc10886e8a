import Essentials
import MisterMetricsCore
import Platform

/// The open days and waiting payloads, in memory and on disk.
///
/// Carries out the decisions of ``DayLedger``. A payload may be delivered only after a ledger has been saved in which
/// its day is closed; otherwise a process killed in between would create it a second time.
final class PayloadInbox: Sendable {
  /// Maximum number of waiting diagnostics; further ones are refused and counted.
  static let diagnosticLimit = 100

  /// A figure as it was recorded.
  struct Entry: Sendable {
    let figure: RecordedFigure
    let source: String
    let moment: Date
  }

  private struct State {
    let folder: PayloadFolder
    var ledger: DayLedger
    /// True if the ledger on disk is up to date.
    var isSaved: Bool
    var waiting: Set<PayloadFile>
    /// Payloads whose day is still open in the ledger on disk.
    var unsettled: Set<PayloadFile> = []
    /// Diagnostics that could not be written to disk.
    var homeless: [PayloadFile: Data] = [:]
    var lastDiagnostic: Int
  }

  private let state: Locked<State>
  private let tally = Locked(PayloadRecorderCounts())

  /// Opens a folder.
  ///
  /// - Throws: `MetricError` if the folder cannot be used, or another recorder holds it.
  init(folder path: String) throws(MetricError) {
    let folder = try PayloadFolder(path)
    var waiting = try folder.payloads()
    var ledger = DayLedger()
    if let bytes = folder.read(PayloadFolder.ledgerName) {
      if let saved = try? JSONDecoder().decode(DayLedger.self, from: bytes) {
        ledger = saved
      } else {
        folder.setAside(PayloadFolder.ledgerName)
        tally.withLock { $0.unreadableFiles += 1 }
      }
    }
    for case .metric(let key) in waiting {
      if ledger.open[key] == nil {
        // The closed days were lost with a ledger that was set aside.
        ledger.payloadKept(key)
      } else {
        // Written by a process that was killed before it could save that the day is closed.
        waiting.remove(.metric(key))
        folder.remove(PayloadFile.metric(key).name)
      }
    }
    let numbers = waiting.map { if case .diagnostic(let number) = $0 { number } else { 0 } }
    state = Locked(
      State(
        folder: folder, ledger: ledger, isSaved: true, waiting: waiting, lastDiagnostic: numbers.max() ?? 0))
  }

  var counts: PayloadRecorderCounts { tally.withLock { $0 } }

  func count(_ change: (inout PayloadRecorderCounts) -> Void) {
    tally.withLock { change(&$0) }
  }
}

extension PayloadInbox {
  /// Adds the recorded figures to their days.
  func add(_ entries: [Entry], in zone: TimeZone, from origin: FigureOrigin) {
    guard !entries.isEmpty else { return }
    let refused = state.withLock { state in
      state.isSaved = false
      return entries.reduce(0) { refused, entry in
        let isSound = PayloadSource.isSound(entry.source)
        let isTaken =
          isSound
          && state.ledger.recorded(
            entry.figure, source: entry.source, at: entry.moment, in: zone, from: origin)
        return isTaken ? refused : refused + 1
      }
    }
    if refused > 0 { count { $0.refused += refused } }
  }

  /// Closes past days, and today if asked to, and saves the others.
  ///
  /// - Returns: True if payloads are waiting.
  func settle(at moment: Date, in zone: TimeZone, closesToday: Bool = false) throws(MetricError) -> Bool {
    do throws(MetricError) {
      return try state.withLock { (state) throws(MetricError) in
        let actions = state.ledger.clockShowed(moment, in: zone, closesToday: closesToday)
        try Self.settle(&state, actions)
        return !state.waiting.isEmpty
      }
    } catch {
      count { $0.failedWrites += 1 }
      throw error
    }
  }

  private static func settle(_ state: inout State, _ actions: [DayLedger.Action]) throws(MetricError) {
    var failure: MetricError?
    for case .keep(let key, let payload) in actions {
      let file = PayloadFile.metric(key)
      do throws(MetricError) {
        try state.folder.write(payload.jsonRepresentation(), to: file.name)
        state.ledger.payloadKept(key)
        state.isSaved = false
        state.waiting.insert(file)
        state.unsettled.insert(file)
      } catch {
        // The day stays open, and the open days are saved regardless.
        failure = error
      }
    }
    if !state.isSaved {
      try state.folder.write(encoded(state.ledger), to: PayloadFolder.ledgerName)
      state.isSaved = true
      state.unsettled = []
    }
    if let failure { throw failure }
  }

  private static func encoded(_ ledger: DayLedger) throws(MetricError) -> Data {
    do {
      return try JSONEncoder().encode(ledger)
    } catch {
      throw MetricError(.unencodableValue, "cannot encode the open days", cause: error)
    }
  }

  /// True if days are open.
  var hasOpenDays: Bool { state.withLock { !$0.ledger.open.isEmpty } }

  /// Keeps a diagnostic, in memory if it cannot be written to disk.
  func keep(_ payload: DiagnosticPayload) {
    let bytes = payload.jsonRepresentation()
    let (isRefused, hasFailed) = state.withLock { state in
      let count = state.waiting.count { if case .diagnostic = $0 { true } else { false } }
      guard count < Self.diagnosticLimit else { return (true, false) }
      state.lastDiagnostic += 1
      let file = PayloadFile.diagnostic(state.lastDiagnostic)
      state.waiting.insert(file)
      do throws(MetricError) {
        try state.folder.write(bytes, to: file.name)
        return (false, false)
      } catch {
        state.homeless[file] = bytes
        return (false, true)
      }
    }
    if isRefused { count { $0.refused += 1 } }
    if hasFailed { count { $0.failedWrites += 1 } }
  }

  /// The payloads that may be delivered, oldest first.
  func waiting() -> [PayloadFile] {
    state.withLock { state in state.waiting.subtracting(state.unsettled).sorted() }
  }

  /// A payload as any process would read it; `nil` if it is gone, or unreadable and therefore set aside.
  func payload(of file: PayloadFile) -> Payload? {
    let bytes = state.withLock { state in state.homeless[file] ?? state.folder.read(file.name) }
    var reader = PayloadReader()
    if let bytes, let payload = reader.read(bytes).payloads.first { return payload }
    state.withLock { state in
      state.waiting.remove(file)
      if bytes != nil { state.folder.setAside(file.name) }
    }
    if bytes != nil { count { $0.unreadableFiles += 1 } }
    return nil
  }

  /// Removes delivered payloads.
  func remove(_ files: [PayloadFile]) {
    state.withLock { state in
      for file in files {
        state.waiting.remove(file)
        state.homeless[file] = nil
        state.folder.remove(file.name)
      }
    }
  }
}
