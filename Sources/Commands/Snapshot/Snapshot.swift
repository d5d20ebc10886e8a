import Aggregation
import ClickHouse
import Codecs
import Dashboard
import DashboardCore
import Essentials
import HistogramScreen
import History
import JSONLines
package import Platform
import QueryLanguage
import Symbolication
import TerminalUI

// All calls of `snapshot` into the dashboard's model and view are in this file.

/// The screens accepted by `--screen`: those of the dashboard.
enum SnapshotScreen {
  static var names: [String] { ScreenList.titles.map(\.name) }

  static var help: String { Arguments.list(names) }

  /// True if a screen shows answers from the history.
  static func asksHistory(_ name: String) -> Bool {
    ScreenList.all.first { $0.title.name == name }?.asksHistory ?? false
  }
}

extension SnapshotCommand.Request {
  /// Shows all contents of the payloads, or only the requested figure.
  mutating func showPayloads(of operands: PayloadOperands) {
    screen = HistogramArguments.screen
    isOverview = metric == nil
    compareFiles(of: operands)
  }

  /// True unless a screen, or an option of the Live screen, is asked for.
  var mayOpenOverview: Bool {
    screen == nil && view.mapping?.time == nil && filter == nil && sort == nil && pins.isEmpty
      && !isLogarithmic && window == nil && metric == nil && moment == nil
  }

  /// Compares two payload files with each other, unless other sides are chosen.
  mutating func compareFiles(of operands: PayloadOperands) {
    guard let files = operands.comparedFiles, histogram.sides.a == nil, histogram.sides.b == nil else {
      return
    }
    (histogram.sides.a, histogram.sides.b) = (files.a, files.b)
  }
}

/// One frame of the dashboard, printed without a terminal.
package struct Snapshot: Sendable {
  let request: SnapshotCommand.Request
  /// The time that the frame shows.
  let now: @Sendable () -> Timestamp
  private let screen: String

  package init(
    _ request: SnapshotCommand.Request,
    now: @escaping @Sendable () -> Timestamp = { .now() }
  ) {
    self.request = request
    self.now = now
    screen = request.screen ?? ScreenList.titles[0].name
  }

  /// Reads the files to their ends and prints the frame.
  ///
  /// - Parameter isWhole: True if the files contain all the data to be read; otherwise the frame is printed, but the
  ///   result is a failure.
  package func run(console: Console, ofAll isWhole: Bool = true) -> ExitCode {
    let capabilities = request.view.capabilities(default: Self.capabilities)
    let (source, feed) = request.server.map(openServer) ?? openFiles()
    var model = Model(
      size: request.size, now: now(), theme: request.view.theme(for: capabilities), zone: .local,
      feed: feed, limits: request.view.limits, keys: request.configuration.keys)
    request.configuration.apply(to: &model.session)
    (model.session.operands, model.session.spooled) = (request.operands, request.spooled)
    model.session.unreadPayloads = request.problems.map { FeedRejection(payloads: $0) }
    model.session.alignsToArrival = request.view.alignsToArrival
    let symbols = request.view.symbols.makeSymbolicator()
    model.session.symbols = symbols
    // A server without one of its shards has figures to show.
    let lack = feed.status.isRemote && feed.status.isLoaded ? feed.status.problem : nil
    let problem = missing ?? (lack == nil ? feed.status.problem : nil) ?? showScreen(source, &model)
    let buffer = DashboardCore.view(model).buffer
    switch request.form {
    case .text: console.write(buffer.lines.map { $0 + "\n" }.joined())
    case .ansi: console.writeBytes(Array(buffer.ansi(depth: capabilities.depth).utf8))
    case .svg: console.write(buffer.svg(theme: model.session.theme))
    case .table(let format):
      guard let table = model.screenTable else {
        console.writeError(
          "mistertop snapshot: \(problem ?? "there is no table of this screen, only of --overview")")
        return .failed
      }
      console.write(format.text(table))
    }
    let ignored = request.view.overriddenChoices(
      on: Self.capabilities, configuration: Configuration(),
      locale: LocaleChoice(environment: ProcessEnvironment.ofProcess.variables))
    let unread = (lack.map { [$0] } ?? (needsHistory ? source.problems : [])).map { SafeText.sanitized($0) }
    symbols?.keep()
    let sentences =
      (problem.map { [$0] } ?? unread) + (symbols?.problems ?? []).map { SafeText.sanitized($0) }
    for sentence in ignored + sentences { console.writeError("mistertop snapshot: \(sentence)") }
    return sentences.isEmpty && isWhole ? .success : .failed
  }

  private func openFiles() -> (any HistorySource, FeedSnapshot) {
    let access = HistoryAccess(indexFolder: request.view.indexFolder)
    let maintainer = IndexMaintainer(
      paths: request.paths, cache: access.cache, mapping: request.view.mapping)
    _ = maintainer.refresh()
    // A frame cannot wait for the comparison in the background. Done first, because the Live screen uses indexes, too.
    maintainer.discardEdited()
    // Needed anyway, and if it is kept, the files need not be read for the series too.
    if needsHistory, access.cache != nil { _ = try? maintainer.index { _, _ in true } }
    let ingest = Ingest(
      sources: TailSource.sources(paths: request.paths), index: access.cache,
      mapping: request.view.mapping, clock: now)
    ingest.start()
    defer { ingest.stop() }
    waitUntilLoaded(ingest)
    return (maintainer, ingest.snapshot())
  }

  private func openServer(_ address: ServerOperand) -> (any HistorySource, FeedSnapshot) {
    let source = ClickHouseSource(of: address, ProcessEnvironment.ofProcess.variables)
    _ = source.refresh()
    let feed = RemoteFeed(
      address, name: request.paths.first ?? "", ProcessEnvironment.ofProcess.variables, clock: now)
    feed.pollOnce()
    return (source, feed.snapshot())
  }

  /// True if the content comes from the history, which includes rotated and packed files.
  private var needsHistory: Bool { SnapshotScreen.asksHistory(screen) || request.moment != nil }

  /// A named file that does not exist: the dashboard waits for it, but a snapshot cannot.
  private var missing: String? {
    guard request.server == nil else { return nil }
    return request.paths.first { path in
      do throws(FileFailure) { _ = try Posix.status(ofPath: path) } catch { return error.kind == .missing }
      return false
    }.map { "\($0): no such file" }
  }

  /// Maximum consecutive queries: which series, which rows, what is shown beside the row.
  private static let questionLimit = 8

  /// Sets up the requested screen.
  ///
  /// - Returns: The reason why it cannot be shown as requested; `nil` if it can.
  private func showScreen(_ source: any HistorySource, _ model: inout Model) -> String? {
    let found = incidents(of: source.files, model.session)
    guard needsHistory else {
      if let found {
        var news = HistoryNews()
        news.incidents = found
        _ = updateAtOnce(&model, [.history(news)])
      }
      _ = model.arrange(screen, arrangement)
      return unknown(of: model)
    }
    do {
      try source.index { _, _ in true }
      var first = HistoryNews()
      first.incidents = found
      var effects = updateAtOnce(&model, [.history(first)])
      effects += model.arrange(screen, arrangement)
      var news = HistoryNews()
      for _ in 0..<Self.questionLimit {
        guard let query = effects.lazy.compactMap(\.question).last else { break }
        news.answer = try source.answer(query) { _, _ in true }
        effects = updateAtOnce(&model, [.history(news)])
      }
      // Like the dashboard, refines the content last.
      if let answer = news.answer, answer.chart.canBeFiner {
        news.answer = try source.refined(answer) { true }
        _ = updateAtOnce(&model, [.history(news)])
      }
      return unknown(of: model)
    } catch {
      return "the history cannot be read: \(IndexPass.Failure.words(of: error))"
    }
  }

  /// The problem with the requested order, metric, field or filter; `nil` if there is none.
  private func unknown(of model: Model) -> String? {
    if let sort = request.sort, !model.sortNames.contains(sort) {
      let known = model.sortNames
      let what =
        known.isEmpty ? "nothing is sorted on \(screen)" : "the orders are \(known.joined(separator: ", "))"
      return "there is no order \(sort): \(what)"
    }
    guard let name = model.unknownMetric else { return model.unknownField ?? unmet(by: model) }
    let sentence = "there is no metric named \(name)\(model.amongKept)"
    guard model.amongKept.isEmpty else { return sentence + "; stats and export know all" }
    return sentence + Suggestion.question(Suggestion.closest(to: name, among: model.metricNames))
  }

  /// A sentence if the filter matches nothing; `nil` if it matches anything.
  private func unmet(by model: Model) -> String? {
    guard let filter = request.filter, !model.hasRows else { return nil }
    if screen == "delivery" { return "no entry matches \(filter)" }
    var met = EmptySelection(of: "metric", seesFields: true)
    for series in model.series where series != .overflow {
      // The full name of a metric acts as a field.
      met.note(field: series.field ?? series.fullName)
      met.note(MetricIdentity(bucket: series.bucket, name: series.label, typeName: series.typeName))
    }
    var selection = SampleSelection()
    selection.query = try? Query.parse(filter, knowing: .screen)
    return met.sentence(selection)
  }

  /// Maximum bytes read for the incidents of one frame; more would take seconds.
  private static let incidentLimit: UInt64 = 256 << 20

  /// The incidents in the newest part of the files, none if they hold payloads alone; `nil` without files.
  private func incidents(of files: [HistoryFile], _ session: Session) -> FoundIncidents? {
    // Those of a server are not looked for.
    guard request.server == nil else { return FoundIncidents(isWhole: true) }
    guard !files.isEmpty else { return nil }
    let store = session.store
    let mayHaveAny = store.allSeries.contains { id in
      store.identity(of: id).map { !PayloadArchive.holds(bucket: $0.bucket, typeName: $0.typeName) } ?? true
    }
    let search = IncidentSearch(
      newest: mayHaveAny ? Self.incidentLimit : 0, sensitivity: session.sensitivity)
    var found: FoundIncidents?
    repeat { found = search.goOn(in: files, at: now()) ?? found } while !search.isDone
    return found
  }

  private var arrangement: Arrangement {
    // A metric that is named as well is what is shown.
    let isOverview = request.isOverview && request.metric == nil
    var arrangement = Arrangement(
      moment: request.moment, metric: request.metric, length: request.window,
      options: isOverview ? request.histogram.sides : request.histogram)
    if isOverview { arrangement.request = .payloads() }
    arrangement.start = request.start
    (arrangement.filter, arrangement.sort) = (request.filter, request.sort)
    (arrangement.isLogarithmic, arrangement.pins) = (request.isLogarithmic, request.pins)
    return arrangement
  }

  private func waitUntilLoaded(_ ingest: Ingest) {
    let environment = Program.Environment.machine
    while !ingest.isLoaded, ingest.snapshot().status.problem == nil {
      // Every change wakes the loop at once; the half second is for a reader that ends without a notification.
      _ = environment.wait([ingest.wakeDescriptor], 0.5)
    }
  }

  /// The capabilities of a frame: all of Unicode if the locale supports it, and every color.
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
