package import Aggregation
import CHeap
import Codecs
import Dispatch
import Essentials
package import History
import Platform

/// Answers questions about the history off the main thread, from any source.
///
/// One thread owns the source; the indexing pass of files uses all cores while it runs. A question that arrives during
/// another one replaces those in the queue.
///
///     let history = HistoryFeed { IndexMaintainer(paths: ["metrics.jsonl"], cache: cache) }
///     history.start()
///     history.ask(query)   // history.wakeDescriptor becomes readable, history.news() has the answer
package final class HistoryFeed: HistoryClient {
  /// The state shared by the thread and the loop.
  fileprivate struct State: Sendable {
    var request = Request()
    var isCancelled = false
    var news = HistoryNews()
    var isExporting = false
    var isExportCancelled = false
  }

  /// The thread's next task.
  fileprivate struct Request: Sendable {
    var query: HistoryQuery?
    var export: HistoryExport?
    var wantsIndex = false
    /// The sensitivity of the requested search for incidents; `nil` without a request.
    var incidents: DetectionBudget.Sensitivity?
    var isStopped = false

    /// True if there is a task that needs an index.
    var needsIndex: Bool { query != nil || export != nil || wantsIndex }
  }

  private let state = Locked(State())
  private let wake = WakeSignal()
  private let requests = DispatchSemaphore(value: 0)
  /// The export in progress.
  private let exports = DispatchGroup()
  private let makeSource: @Sendable () -> any HistorySource
  private let interrupt: @Sendable () -> Void

  /// - Parameters:
  ///   - interrupt: Ends the answer in progress, on any thread.
  ///   - makeSource: Makes the source on the thread that it belongs to.
  package init(
    interrupt: @escaping @Sendable () -> Void = {}, _ makeSource: @escaping @Sendable () -> any HistorySource
  ) {
    (self.interrupt, self.makeSource) = (interrupt, makeSource)
  }

  deinit { stop() }

  /// Starts to wait for questions.
  package func start() {
    // The thread must not keep the feed alive: releasing the feed ends it.
    let worker = Worker(
      state: state, wake: wake, requests: requests, exports: exports, makeSource: makeSource)
    SystemThread.start("history", stackSize: 4 << 20) { worker.run() }
  }

  /// Stops, and abandons the work in progress.
  package func stop() {
    state.withLock { state in
      (state.request.isStopped, state.isCancelled, state.isExportCancelled) = (true, true, true)
    }
    interrupt()
    requests.signal()
    // The partial output of an export must be deleted; a disk that hangs must not block the exit.
    _ = exports.wait(timeout: .now() + 2)
  }

  package var wakeDescriptor: Int32 { wake.descriptor }

  package func ask(_ query: HistoryQuery) {
    state.withLock { $0.request.query = query }
    interrupt()
    requests.signal()
  }

  package func prepare() {
    state.withLock { $0.request.wantsIndex = true }
    requests.signal()
  }

  package func findIncidents(_ sensitivity: DetectionBudget.Sensitivity) {
    state.withLock { $0.request.incidents = sensitivity }
    requests.signal()
  }

  package func export(_ request: HistoryExport) {
    state.withLock { $0.request.export = request }
    requests.signal()
  }

  package func cancel() {
    state.withLock { ($0.isCancelled, $0.isExportCancelled) = (true, true) }
    interrupt()
  }

  package func news() -> HistoryNews {
    // Cleared first, so that a later change raises the signal again.
    wake.clear()
    return state.withLock { state in
      defer { (state.news.answer, state.news.sentence, state.news.incidents) = (nil, nil, nil) }
      return state.news
    }
  }

  /// The state of the thread.
  fileprivate struct Worker: Sendable {
    let state: Locked<State>
    let wake: WakeSignal
    let requests: DispatchSemaphore
    let exports: DispatchGroup
    let makeSource: @Sendable () -> any HistorySource
  }
}

extension HistoryFeed.Worker {
  /// Maximum bytes read for an answer if there is no index and none could be made.
  private static let bytesAtOnce: UInt64 = 64 << 20
  /// Seconds without a question after which old blocks are verified.
  private static let idleTime = 2.0
  /// Seconds between returns of memory to the system.
  private static let trimInterval = 10.0
  /// Seconds between verifications of a few blocks: slow enough to go unnoticed.
  private static let checkInterval = 0.1

  fileprivate func run() {
    let source = makeSource()
    source.report(
      sorting: { done, total in report(.sorting, done, total, since: nil) },
      gathering: { done, total in report(.gathering, done, total, since: nil) })
    var timeout = Self.idleTime
    let incidents = IncidentSearch()
    var refined: HistoryQuery?
    var trimmed = MonotonicInstant.now()
    while true {
      // Incidents are searched while there is no question.
      let limit = incidents.isDone ? pause(source, timeout) : .now()
      guard requests.wait(timeout: limit) == .success else {
        guard incidents.isDone else {
          if let found = incidents.goOn(in: source.files, at: .now()) {
            tell { $0.incidents = found }
          }
          continue
        }
        timeout = Self.checkInterval
        if !source.hasUnchecked, source.refresh() { tell { $0.version += 1 } }
        if let found = source.checkSome() { tell { $0.sentence = found } }
        if source.bytesToIndex > 0 { tell { $0.version += 1 } }
        continue
      }
      timeout = Self.idleTime
      let request = take()
      if request.isStopped { return }
      guard request.needsIndex || request.incidents != nil else { continue }
      if source.refresh() { tell { $0.version += 1 } }
      if let sensitivity = request.incidents { incidents.resume(sensitivity: sensitivity) }
      guard request.needsIndex else { continue }
      // Without an index, every answer would read the files completely.
      let isReady = makeIndex(source) || source.bytesToIndex <= Self.bytesAtOnce
      if isReady, let query = request.query { answer(query, source, &refined) }
      if let export = request.export { begin(export, source) }
      tell { $0.work = nil }
      // Memory freed by answers lies between live allocations: with many answers, the heap would only grow.
      if MonotonicInstant.now() >= trimmed + Self.trimInterval {
        heap_give_back()
        trimmed = .now()
      }
    }
  }

  /// The end of the wait for a question.
  private func pause(_ source: any HistorySource, _ timeout: Double) -> DispatchTime {
    if source.hasUnchecked { return .now() + timeout }
    return source.lookInterval.map { .now() + $0 } ?? .distantFuture
  }

  private func take() -> HistoryFeed.Request {
    state.withLock { state in
      defer { (state.request, state.isCancelled) = (HistoryFeed.Request(), state.request.isStopped) }
      return state.request
    }
  }

  private func tell(_ change: (inout HistoryNews) -> Void) {
    state.withLock { change(&$0.news) }
    wake.raise()
  }

  /// Reports progress; returns whether to continue.
  private func report(_ kind: HistoryWork.Kind, _ done: UInt64, _ total: UInt64, since begin: Date?) -> Bool {
    let time = begin.map { Date().timeIntervalSince($0) } ?? 0
    let rate = time > 0.05 && done > 0 ? Double(done) / time : nil
    let progress = FeedProgress(done: Double(done), total: Double(total), perSecond: rate)
    let goesOn = state.withLock { state in
      state.news.work = HistoryWork(kind: kind, progress: progress)
      return !state.isCancelled
    }
    wake.raise()
    return goesOn
  }

  /// Makes missing indexes; returns whether all are available.
  private func makeIndex(_ source: any HistorySource) -> Bool {
    guard source.bytesToIndex > 0 else { return true }
    let begin = Date()
    var isDone = true
    do throws(IndexPass.Failure) {
      try source.index { report(.indexing, $0, $1, since: begin) }
    } catch {
      isDone = false
      tell { $0.sentence = "The history could not be read in full: \(error.words)" }
    }
    // Memory freed by the pass lies between live allocations.
    heap_give_back()
    tell { $0.work = nil }
    return isDone
  }

  private func answer(_ query: HistoryQuery, _ source: any HistorySource, _ refined: inout HistoryQuery?) {
    let begin = Date()
    for attempt in 0..<2 {
      do {
        let answer = try source.answer(query) { report(.indexing, $0, $1, since: begin) }
        // The rough curve is not shown between two fine ones.
        if !(answer.chart.canBeFiner && query.isAlike(refined)) { tell { $0.answer = answer } }
        if answer.chart.canBeFiner { refine(answer, source, &refined) }
        // A block differed from its index: the next attempt answers from the current contents.
        guard source.bytesToIndex > 0, makeIndex(source) else { return }
      } catch is CancellationError {
        return
      } catch {
        // A file may have been renamed since the names were checked.
        if attempt == 0, source.refresh() { continue }
        return tell { $0.sentence = "The history cannot be read: \(IndexPass.Failure.words(of: error))" }
      }
    }
  }

  /// Answers again with a finer chart, unless there is other work.
  private func refine(_ answer: HistoryAnswer, _ source: any HistorySource, _ refined: inout HistoryQuery?) {
    let goesOn = {
      state.withLock { $0.request.query == nil && !$0.request.isStopped && !$0.isCancelled }
    }
    let finer = (try? source.refined(answer, while: goesOn)) ?? answer
    if !finer.chart.canBeFiner {
      refined = answer.query
    } else if !answer.query.isAlike(refined) {
      return
    }
    tell { $0.answer = finer }
  }

  /// Exports on a thread of its own, so that questions are still answered.
  private func begin(_ export: HistoryExport, _ source: any HistorySource) {
    guard !state.withLock({ $0.isExporting }) else {
      return tell { $0.sentence = "Another export is running" }
    }
    let sources: [ExportSource]
    do {
      sources = try source.exportSources(in: export.window, of: export.scope)
    } catch {
      return tell { $0.sentence = "\(export.path) was not written: \(IndexPass.Failure.words(of: error))" }
    }
    // Entered together with the check for the stop: `stop` either prevents the export or waits for it.
    let begins = state.withLock { state in
      guard !state.request.isStopped else { return false }
      (state.isExporting, state.isExportCancelled) = (true, false)
      exports.enter()
      return true
    }
    guard begins else { return }
    SystemThread.start("export") {
      let sentence = write(export, of: sources)
      state.withLock { $0.isExporting = false }
      tell { ($0.work, $0.sentence) = (nil, sentence) }
      exports.leave()
    }
  }

  /// Writes the file; returns a sentence with the outcome.
  private func write(_ export: HistoryExport, of sources: [ExportSource]) -> String {
    let work = FileExport(
      sources: sources, format: export.format, window: export.window, metrics: export.series,
      payloads: .known)
    let begin = Date()
    var last = begin
    do {
      let outcome = try work.write(to: export.path) { done, total in
        let now = Date()
        if now.timeIntervalSince(last) > 0.1 {
          last = now
          _ = report(.exporting, done, total, since: begin)
        }
        return !state.withLock { $0.isExportCancelled }
      }
      let samples = outcome.written == 1 ? "sample" : "samples"
      let omitted = outcome.omitted > 0 ? "; \(outcome.omitted) cannot be written in this format" : ""
      return "Wrote \(NumberFormat.count(outcome.written)) \(samples) to \(export.path)\(omitted)"
    } catch is CancellationError {
      return "Export cancelled"
    } catch let failure as FileFailure where failure == .other(EEXIST) {
      return "\(export.path) already exists; nothing was written"
    } catch {
      return "\(export.path) was not written: \(IndexPass.Failure.words(of: error))"
    }
  }
}

extension HistoryQuery {
  /// True if both charts show the same metric at the same zoom.
  fileprivate func isAlike(_ other: HistoryQuery?) -> Bool {
    guard let other else { return false }
    return focus == other.focus && narrowed == other.narrowed && pins == other.pins
      && columns == other.columns && scope == other.scope
      && window.upperBound - window.lowerBound == other.window.upperBound - other.window.lowerBound
  }
}
