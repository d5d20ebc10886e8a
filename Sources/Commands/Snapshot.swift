import Codecs
import Dashboard
import Foundation
import History
package import JSONLines
package import TerminalUI

/// Prints one frame of the dashboard without a terminal.
package struct Snapshot: Sendable {
  let request: SnapshotRequest
  /// Seconds since 2001; the frame is of this moment.
  let now: @Sendable () -> Double

  package init(request: SnapshotRequest, now: @escaping @Sendable () -> Double) {
    self.request = request
    self.now = now
  }

  /// Reads the files to their ends and prints the frame.
  package func run(console: Console) -> ExitCode {
    let capabilities = request.looks.capabilities(else: Self.capabilities)
    let access = HistoryAccess(indexFolder: request.looks.indexFolder)
    let ingest = Ingest(
      sources: TailSource.sources(paths: request.paths), index: access.cache, clock: now)
    ingest.start()
    defer { ingest.stop() }
    waitUntilLoaded(ingest)
    let feed = ingest.snapshot()
    var model = Model(
      size: request.size, now: now(), theme: Theme(capabilities: capabilities), zone: .local, feed: feed,
      limits: request.looks.limits)
    let problem = feed.status.problem ?? askHistory(access, &model)
    model.settle()
    let buffer = view(model).buffer
    switch request.form {
    case .text: console.write(buffer.lines.map { $0 + "\n" }.joined())
    case .ansi: console.write(buffer.ansi(depth: capabilities.depth))
    case .svg: console.write(buffer.svg())
    }
    guard let problem else { return .fine }
    console.complain("mistertop snapshot: \(problem)")
    return .failed
  }

  /// So many questions follow one another at most: which series, which rows, what stands beside the row.
  private static let questionLimit = 8

  /// Brings the screen to what is asked for; gives the reason where its history cannot be read.
  private func askHistory(_ access: HistoryAccess, _ model: inout Model) -> String? {
    guard request.screen == .history || request.screen == .histogram || request.moment != nil else {
      _ = model.stand(on: request.screen.shown, at: nil)
      return nil
    }
    let keeper = HistoryKeeper(paths: request.paths, names: access.names, cache: access.cache)
    _ = keeper.refresh()
    do {
      try keeper.index { _, _ in true }
      var effects = update(&model, .history(HistoryNews()))
      effects += stand(&model)
      for _ in 0..<Self.questionLimit {
        guard let query = effects.lazy.compactMap(\.question).last else { break }
        var news = HistoryNews()
        news.picture = try keeper.answer(query)
        effects = update(&model, .history(news))
      }
      let unknown = request.screen == .histogram ? model.unknownHistogramMetric : model.unknownMetric
      return unknown.map { "no metric is called \($0)" }
    } catch {
      return "the history cannot be read: \(IndexPass.Failure(error).words)"
    }
  }

  private func stand(_ model: inout Model) -> [Effect] {
    guard request.screen == .histogram else {
      return model.stand(
        on: request.screen.shown, at: request.moment, metric: request.metric, length: request.window)
    }
    return model.stand(onHistogram: request.histogram, at: request.moment, length: request.window)
  }

  private func waitUntilLoaded(_ ingest: Ingest) {
    let world = Program.World.machine
    while !ingest.isLoaded, ingest.snapshot().status.problem == nil {
      // The half second is for a reader that ends without saying so; every change wakes at once.
      _ = world.wait([ingest.wakeDescriptor], 0.5)
    }
  }

  /// What a picture may use: all of Unicode where the locale has it, and every colour.
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

extension TailSource {
  /// What the operands of a command line mean: `-` is standard input, a folder all that is in it.
  package static func sources(paths: [String]) -> [TailSource] {
    paths.map { path in
      if path == "-" { return .standardInput }
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      return exists && isFolder.boolValue ? .folder(path) : .file(path)
    }
  }
}

extension Looks {
  /// What the person wants, and what was found where they do not say.
  package func capabilities(else found: Capabilities) -> Capabilities {
    var result = found
    if let colors { result.depth = colors }
    if let glyphs {
      result.glyphs = glyphs
      if glyphs == .ascii { result.repertoire = .ascii }
    }
    return result
  }
}

extension SnapshotRequest.Screen {
  /// The screen of the dashboard.
  fileprivate var shown: Screen {
    switch self {
    case .live: .live
    case .history: .history
    case .histogram: .histogram
    case .sync: .sync
    }
  }
}
