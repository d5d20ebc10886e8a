import Foundation
package import History
import JSONLines
import MisterMetrics

/// Answers questions about files beside the main thread, over their index.
///
/// One thread owns the files; the pass that makes an index takes all cores for its while. A question that comes while
/// another one is worked on replaces those that wait.
///
///     let history = HistoryFeed(paths: ["metrics.jsonl"], cache: IndexCache(folder: folder))
///     history.start()
///     history.ask(query)   // history.wakeDescriptor becomes readable, history.news() has the picture
package final class HistoryFeed: Historian {
  /// What the thread and the loop share.
  fileprivate struct State: Sendable {
    var query: HistoryQuery?
    var export: HistoryExport?
    var wantsIndex = false
    var isCancelled = false
    var isStopped = false
    var news = HistoryNews()

    var isIdle: Bool { query == nil && export == nil && !wantsIndex && !isStopped }
  }

  private let state = Locked(State())
  private let wake = WakeSignal()
  private let requests = DispatchSemaphore(value: 0)
  private let paths: [String]
  private let names: HistoryNames
  private let cache: IndexCache?

  /// - Parameters:
  ///   - paths: as a person gave them.
  ///   - cache: where indexes are kept between runs; `nil` keeps none.
  package init(paths: [String], names: HistoryNames = HistoryNames(), cache: IndexCache?) {
    self.paths = paths
    self.names = names
    self.cache = cache
  }

  deinit { stop() }

  /// Begins to wait for questions.
  package func start() {
    // The thread must not keep the feed alive: whoever drops the feed ends it.
    let worker = Worker(
      state: state, wake: wake, requests: requests, paths: paths, names: names, cache: cache)
    let thread = Thread { worker.run() }
    thread.stackSize = 4 << 20
    thread.name = "history"
    thread.startWithoutSignals()
  }

  /// Ends after what is under way, which is given up.
  package func stop() {
    state.withLock { ($0.isStopped, $0.isCancelled) = (true, true) }
    requests.signal()
  }

  package var wakeDescriptor: Int32 { wake.descriptor }

  package func ask(_ query: HistoryQuery) {
    state.withLock { $0.query = query }
    requests.signal()
  }

  package func prepare() {
    state.withLock { $0.wantsIndex = true }
    requests.signal()
  }

  package func export(_ request: HistoryExport) {
    state.withLock { $0.export = request }
    requests.signal()
  }

  package func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  package func news() -> HistoryNews {
    // Cleared first: a change after it raises the signal again.
    wake.clear()
    return state.withLock { state in
      defer { (state.news.picture, state.news.sentence) = (nil, nil) }
      return state.news
    }
  }

  /// What the thread holds.
  fileprivate struct Worker: Sendable {
    let state: Locked<State>
    let wake: WakeSignal
    let requests: DispatchSemaphore
    let paths: [String]
    let names: HistoryNames
    let cache: IndexCache?
  }
}

extension HistoryFeed.Worker {
  fileprivate func run() {
    let keeper = HistoryKeeper(paths: paths, names: names, cache: cache)
    keeper.history.onProgress = { done, total in report(.sorting, done, total, since: nil) }
    while true {
      requests.wait()
      let (query, export, isStopped) = take()
      if isStopped { return }
      guard query != nil || export != nil || !state.withLock({ $0.isIdle }) || keeper.history.files.isEmpty
      else {
        continue
      }
      if keeper.refresh() { tell { $0.version += 1 } }
      makeIndex(keeper)
      if let query { answer(query, keeper) }
      if let export { write(export, keeper) }
      tell { $0.work = nil }
    }
  }

  private func take() -> (HistoryQuery?, HistoryExport?, Bool) {
    state.withLock { state in
      defer {
        (state.query, state.export, state.wantsIndex, state.isCancelled) = (nil, nil, false, state.isStopped)
      }
      return (state.query, state.export, state.isStopped)
    }
  }

  private func tell(_ change: (inout HistoryNews) -> Void) {
    state.withLock { change(&$0.news) }
    wake.raise()
  }

  /// Notes how far work is; answers whether to go on.
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

  private func makeIndex(_ keeper: HistoryKeeper) {
    guard keeper.bytesToIndex > 0 else { return }
    let begin = Date()
    do throws(IndexPass.Failure) {
      try keeper.index { report(.indexing, $0, $1, since: begin) }
    } catch {
      tell { $0.sentence = "The history could not be indexed: \(error.words)" }
    }
    tell { $0.work = nil }
  }

  private func answer(_ query: HistoryQuery, _ keeper: HistoryKeeper) {
    for _ in 0..<2 {
      do {
        let picture = try keeper.history.answer(query)
        tell { $0.picture = picture }
        // A block was met that differs from what was indexed: the next turn answers from what is there now.
        guard keeper.bytesToIndex > 0 else { return }
      } catch is IndexFault {
        keeper.discardIndexes()
      } catch {
        return tell { $0.sentence = "The history cannot be read: \(IndexPass.Failure(error).words)" }
      }
      makeIndex(keeper)
    }
  }

  private func write(_ export: HistoryExport, _ keeper: HistoryKeeper) {
    tell { $0.sentence = "Export is not possible here: \(export.path)" }
  }
}

extension IndexPass.Failure {
  /// The reason in words.
  package var words: String {
    switch self {
    case .cancelled: "it was given up"
    case .changed: "a file changes all the time"
    case .unreadable(let code): String(cString: strerror(code))
    case .index: "its index is damaged"
    }
  }
}
