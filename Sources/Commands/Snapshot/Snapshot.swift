import Codecs
import Dashboard
import Foundation
import History
import JSONLines
import TerminalUI

// Every call of `snapshot` into the dashboard's model and view is in this file.

/// The screens of `--screen`.
enum SnapshotScreen {
  static let names: KeyValuePairs<String, Screen> = [
    "live": .live, "history": .history, "histogram": .histogram, "sync": .sync,
  ]

  /// The screen that the options of the histogram ask for.
  static let histogram = Screen.histogram

  /// The names for the help.
  static var help: String { Arguments.list(names.map(\.key)) }
}

extension SnapshotCommand.Request {
  /// Shows everything that the payloads contain, or the figure of them that was asked for.
  mutating func showPayloads() {
    screen = SnapshotScreen.histogram
    histogram.isOverview = metric == nil
  }
}

/// One frame of the dashboard, printed without a terminal.
package struct Snapshot: Sendable {
  let request: SnapshotCommand.Request
  /// The moment the frame is of, in seconds since 2001.
  let now: @Sendable () -> Double
  private let screen: Screen

  package init(
    _ request: SnapshotCommand.Request,
    now: @escaping @Sendable () -> Double = { Date().timeIntervalSinceReferenceDate }
  ) {
    self.request = request
    self.now = now
    screen = request.screen ?? .live
  }

  /// Reads the files to their ends and prints the frame.
  package func run(console: Console) -> ExitCode {
    let capabilities = request.view.capabilities(default: Self.capabilities)
    let access = HistoryAccess(indexFolder: request.view.indexFolder)
    let ingest = Ingest(
      sources: TailSource.sources(paths: request.paths), index: access.cache, clock: now)
    ingest.start()
    defer { ingest.stop() }
    waitUntilLoaded(ingest)
    let feed = ingest.snapshot()
    var model = Model(
      size: request.size, now: now(), theme: Theme(capabilities: capabilities), zone: .local, feed: feed,
      limits: request.view.limits)
    let problem = feed.status.problem ?? showScreen(access, &model)
    model.settle()
    let buffer = Dashboard.view(model).buffer
    switch request.form {
    case .text: console.write(buffer.lines.map { $0 + "\n" }.joined())
    case .ansi: console.write(buffer.ansi(depth: capabilities.depth))
    case .svg: console.write(buffer.svg())
    }
    guard let problem else { return .success }
    console.writeError("mistertop snapshot: \(problem)")
    return .failed
  }

  /// The most questions that can follow one another: which series, which rows, what is shown beside the row.
  private static let questionLimit = 8

  /// Brings up the screen that was asked for.
  ///
  /// - Returns: Why its history cannot be read; `nil` if it can.
  private func showScreen(_ access: HistoryAccess, _ model: inout Model) -> String? {
    guard screen == .history || screen == .histogram || request.moment != nil else {
      _ = model.stand(on: screen, at: nil)
      return nil
    }
    let keeper = HistoryKeeper(paths: request.paths, names: access.names, cache: access.cache)
    _ = keeper.refresh()
    do {
      try keeper.index { _, _ in true }
      var effects = update(&model, .history(HistoryNews()))
      effects += position(&model)
      for _ in 0..<Self.questionLimit {
        guard let query = effects.lazy.compactMap(\.question).last else { break }
        var news = HistoryNews()
        news.picture = try keeper.answer(query)
        effects = update(&model, .history(news))
      }
      let unknown = screen == .histogram ? model.unknownHistogramMetric : model.unknownMetric
      return unknown.map { "there is no metric named \($0)" }
    } catch {
      return "the history cannot be read: \(IndexPass.Failure(error).words)"
    }
  }

  private func position(_ model: inout Model) -> [Effect] {
    guard screen == .histogram else {
      return model.stand(on: screen, at: request.moment, metric: request.metric, length: request.window)
    }
    return model.stand(onHistogram: request.histogram, at: request.moment, length: request.window)
  }

  private func waitUntilLoaded(_ ingest: Ingest) {
    let world = Program.World.machine
    while !ingest.isLoaded, ingest.snapshot().status.problem == nil {
      // Every change wakes at once; the half second is for a reader that ends without a word.
      _ = world.wait([ingest.wakeDescriptor], 0.5)
    }
  }

  /// What a frame may use: all of Unicode where the locale has it, and every color.
  private static var capabilities: Capabilities {
    let isUTF8 = TextLocale.adoptEnvironment()
    return Capabilities(glyphs: isUTF8 ? .braille : .ascii, repertoire: isUTF8 ? .unicode : .ascii)
  }
}

extension Effect {
  fileprivate var question: HistoryQuery? {
    if case .ask(let query) = self { query } else { nil }
  }
}
