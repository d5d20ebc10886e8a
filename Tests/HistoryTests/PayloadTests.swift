import Aggregation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import History

/// The account of payloads against their lines.
@Suite struct PayloadTests {
  private func archive(of texts: String...) throws -> PayloadArchive {
    try IndexMaintainer.indexed(texts.map { MemoryBytes($0) }).history.payloads()
  }

  @Test(arguments: [1, 2, 5])
  func `payloads are put together from their lines, on any number of cores`(_ workers: Int) throws {
    var maker = PayloadMaker()
    maker.fill(700, seed: 1)
    let history = HistoryStore(
      files: [HistoryFile(name: "a", path: "a", bytes: MemoryBytes(maker.text), blockSize: 4096)],
      workers: workers)
    #expect(try history.payloads() == maker.archive)
  }

  @Test func `a question about payloads is answered with them`() throws {
    var maker = PayloadMaker()
    maker.fill(3, seed: 2)
    let maintainer = try IndexMaintainer.indexed([MemoryBytes(maker.text)])
    var query = HistoryQuery(window: Timestamp(0)..<Timestamp(1), playhead: Timestamp(0))
    #expect(try maintainer.answer(query).payloads == nil)
    query.histogram = HistogramQuery(wantsPayloads: true)
    #expect(try maintainer.answer(query).payloads == maker.archive)
  }

  @Test func `a file that grows is read on, not anew, and a torn line waits`() throws {
    var maker = PayloadMaker()
    maker.fill(400, seed: 3)
    let bytes = Array(maker.text.utf8)
    let file = MemoryBytes([])
    let maintainer = IndexMaintainer.of([file])
    var generator = SeededGenerator(seed: 4)
    var end = 0
    while end < bytes.count {
      end = min(bytes.count, end + Int.random(in: 1...60_000, using: &generator))
      file.change { $0 = Array(bytes[..<end]) }
      _ = maintainer.refresh()
      if Bool.random(using: &generator) { try maintainer.index { _, _ in true } }
      _ = try maintainer.history.payloads()
    }
    #expect(try maintainer.history.payloads() == maker.archive)
    _ = file.takeRead()
    _ = try maintainer.history.payloads()
    #expect(file.takeRead() == 0)
    file.change { $0 += Array("\n".utf8) }
    _ = maintainer.refresh()
    _ = try maintainer.history.payloads()
    #expect(file.takeRead() <= 3 * 16_384)
  }

  @Test func `an index that is made later makes nobody read again`() throws {
    var maker = PayloadMaker()
    maker.fill(300, seed: 5)
    let file = MemoryBytes(maker.text)
    let maintainer = IndexMaintainer.of([file])
    _ = maintainer.refresh()
    _ = try maintainer.history.payloads()
    try maintainer.index { _, _ in true }
    _ = file.takeRead()
    #expect(try maintainer.history.payloads() == maker.archive && file.takeRead() == 0)
  }

  @Test func `a pass that is given up begins where it was left`() throws {
    var maker = PayloadMaker()
    maker.fill(700, seed: 6)
    let file = MemoryBytes(maker.text)
    // Alone, so that nothing done is lost behind a slower worker.
    let maintainer = try IndexMaintainer.indexed([file], workers: 1)
    _ = file.takeRead()
    maintainer.history.onGathering = { done, total in done * 2 < total }
    #expect(throws: IndexPass.Failure.cancelled) { try maintainer.history.payloads() }
    maintainer.history.onGathering = { _, _ in true }
    _ = file.takeRead()
    #expect(try maintainer.history.payloads() == maker.archive)
    // Blocks of 4 KiB are read with 8 KiB behind them.
    #expect(file.takeRead() < maker.text.utf8.count * 3 * 3 / 4)
  }

  @Test func `what a payload tells beside its figures is told with all its versions`() throws {
    var maker = PayloadMaker()
    let (old, new) = (PayloadMaker.payload("d.json#1", "1"), PayloadMaker.payload("d.json#1", "2"))
    maker.add(.number(1), "n", of: old)
    maker.add(.number(2), "n", of: new)
    maker.add(
      document: #""kind":"diagnostic","os":"iPhone OS 26.1","region":"","localized":true,"size":3"#,
      of: PayloadMaker.payload("d.json#1", ""))
    let facts = try archive(of: maker.text).payloads.map(\.facts)
    let known = [
      "kind": "diagnostic", "os": "iPhone OS 26.1", "localized": "true", "simulated": "false",
      "multipleVersions": "false",
    ]
    #expect(facts == [known, known])
  }

  @Test func `a day without a figure is a day`() throws {
    var maker = PayloadMaker()
    maker.add(document: #""kind":"metric","device":"iPhone17,1""#, of: PayloadMaker.payload("d#1", "3"))
    let archive = try archive(of: maker.text)
    #expect(archive.payloads.map(\.version) == ["3"] && archive.payloads[0].values.isEmpty)
    #expect(archive.payloads[0].facts["device"] == "iPhone17,1")
  }

  /// The lines of some payloads: with what they share in each figure, or in the document alone.
  private func lines(isSlim: Bool) -> (documents: [String], figures: [String]) {
    var (documents, figures) = (PayloadMaker(), PayloadMaker())
    figures.isSlim = isSlim
    for number in 0..<9 {
      let payload = PayloadMaker.payload(
        "day-\(number).json#\(number)bcdef0123456789abcdef0123456789", "\(number % 3)", at: Double(number),
        isMixed: number == 4, isSimulated: number == 5)
      documents.add(document: #""kind":"metric","device":"iPhone17,\#(number)""#, of: payload)
      figures.add(.number(Double(number)), "peak", "kB", of: payload)
      figures.add(.bins([.init(start: 0, end: 9, count: number)]), "launch", of: payload)
    }
    return (documents.lines, figures.lines)
  }

  @Test func `figures that leave their origin to the document tell the same as those that state it`() throws {
    func text(_ lines: [String]...) -> String { lines.joined().map { $0 + "\n" }.joined() }
    let (old, new) = (lines(isSlim: false), lines(isSlim: true))
    let expected = try archive(of: text(old.figures, old.documents))
    #expect(expected.payloads.count == 9 && expected.payloads[4].isMixed && expected.payloads[5].isSimulated)
    for texts in [
      [text(new.documents, new.figures)], [text(new.figures, new.documents)],
      [text(new.figures), text(new.documents)], [text(new.documents), text(new.figures)],
      // Completed by another version of the program, or found in two files.
      [text(old.documents, Array(old.figures.prefix(7)), Array(new.figures.dropFirst(7)))],
      [text(old.figures, old.documents), text(new.documents, new.figures)],
    ] {
      var found = try IndexMaintainer.indexed(texts.map { MemoryBytes($0) }).history.payloads()
      for place in found.payloads.indices { found.payloads[place].values.sort { $0.figure < $1.figure } }
      #expect(found == expected)
    }
  }

  @Test func `the figures of diagnostics have a version of their own where the payload has several`() throws {
    var maker = PayloadMaker()
    let source = "d#0bcdef0123456789abcdef0123456789"
    maker.add(
      ##"{"appVersion":"2","source":"#0bcdef0123456789","unit":"count","value":3}"##, "hangDiagnostics",
      "PayloadScalar")
    maker.add(
      document: #""kind":"diagnostic","os":"a""#, of: PayloadMaker.payload(source, "", isMixed: true))
    maker.add(
      ##"{"source":"#0bcdef0123456789","unit":"count","value":1}"##, "hangDiagnostics", "PayloadScalar")
    let found = try archive(of: maker.text).payloads
    #expect(found.map(\.version) == ["", "2"] && found.allSatisfy { !$0.isMixed && $0.source == source })
    #expect(found.map(\.values.first?.value) == [.number(1), .number(3)])
  }

  @Test func `of payloads only numbers are series, and the rest is counted`() throws {
    let (old, new) = (lines(isSlim: false), lines(isSlim: true))
    for (documents, figures) in [old, new] {
      let bytes = MemoryBytes((documents + figures).map { $0 + "\n" }.joined())
      for maintainer in [IndexMaintainer.of([bytes]), try IndexMaintainer.indexed([bytes])] {
        _ = maintainer.refresh()
        let query = HistoryQuery(window: Timestamp(0)..<Timestamp(99), playhead: Timestamp(0))
        let series = try maintainer.answer(query).series
        let names = series.map { "\($0.identity.name).\($0.identity.field ?? "-") \($0.total)" }
        #expect(names == ["launch.- 9", "payload.- 9", "peak.value 9"])
        for (found, value) in zip(series, [SeriesValue.null, .null, .number(8)]) {
          var query = HistoryQuery(window: query.window, focus: found.identity, playhead: Timestamp(0))
          for order in [HistoryPageQuery.Order.time, .value(descending: false)] {
            query.page = HistoryPageQuery(order: order, anchor: .row(8), before: 8, after: 1)
            let page = try maintainer.answer(query).page
            #expect(page.total == 9 && page.rows.count == 9 && page.rows.last?.value == value)
          }
        }
      }
    }
  }

  @Test func `diagnostics stay as they were written`() throws {
    var maker = PayloadMaker()
    let json = #"{ "source":"d#1", "callStackTree":{"address":18446744073709551615}, "reason":"ü\u0007" }"#
    maker.add(json, "hangDiagnostics.callStackTree", "PayloadDiagnostic", at: 5)
    maker.add(json, "hangDiagnostics.callStackTree", "PayloadDiagnostic", at: 5)
    let hang = PayloadArchive.Diagnostic(
      kind: "hangDiagnostics.callStackTree", time: Timestamp(5), json: Array(json.utf8))
    #expect(try archive(of: maker.text).diagnostics == [hang, hang])
    // The same payload in a second file tells nothing new.
    #expect(try archive(of: maker.text, maker.text).diagnostics == [hang, hang])
  }

  @Test func `of a payload that two files hold each figure counts once`() throws {
    var (first, second) = (PayloadMaker(), PayloadMaker())
    let payload = PayloadMaker.payload("d.json#1", "1")
    first.add(.number(1), "hangDiagnostics.hangDuration", "sec", of: payload)
    first.add(.number(1), "hangDiagnostics.hangDuration", "sec", of: payload)
    second.add(.number(1), "hangDiagnostics.hangDuration", "sec", of: payload)
    second.add(.number(7), "cpuMetrics.cumulativeCPUTime", "sec", of: payload)
    var renamed = payload
    renamed.source = "copy.json#1"
    second.add(.number(8), "cpuMetrics.cumulativeCPUTime", "sec", of: renamed)
    let archive = try archive(of: first.text, second.text)
    #expect(archive.payloads.count == 1 && archive.payloads[0].source == "d.json#1")
    #expect(archive.payloads[0].values.map(\.value) == [.number(1), .number(1), .number(7), .number(8)])
  }

  @Test func `a histogram that stands twice counts once`() throws {
    var maker = PayloadMaker()
    let payload = PayloadMaker.payload("d.json#1", "1")
    let bins = [PayloadArchive.Bin(start: 0, end: 9, count: 3)]
    for _ in 0..<3 { maker.add(.bins(bins), "launch", of: payload) }
    maker.add(.bins(bins), "resume", of: payload)
    #expect(try archive(of: maker.text).payloads[0].values.map(\.figure) == [0, 1])
  }

  @Test func `without a source the times and the version tell payloads apart`() throws {
    var maker = PayloadMaker()
    for (version, time) in [("1", 1.0), ("2", 1), ("1", 1), ("1", 2)] {
      maker.add(.number(time), "n", of: PayloadMaker.payload("", version, at: time))
    }
    let found = try archive(of: maker.text).payloads
    #expect(found.map(\.version) == ["1", "2", "1"] && found.map(\.values.count) == [2, 1, 1])
  }

  @Test func `lines that are no such entries are counted`() throws {
    var maker = PayloadMaker()
    let whole = PayloadMaker.payload("d#1", "1")
    maker.add("3", "n", "PayloadScalar")
    maker.add("{}", "n", "PayloadHistogram")
    maker.add(#"{"unit":"ms","value":"x"}"#, "n", "PayloadScalar")
    maker.add(#"{"unit":"ms","bins":{}}"#, "n", "PayloadHistogram")
    maker.add("[]", "hang", "PayloadDiagnostic")
    maker.add("true", "payload", "PayloadDocument")
    maker.add("7", "own", "Double")
    let odd =
      #"[{"start":5,"end":1,"count":1},{"start":0,"end":9,"count":-1},7,{"start":0,"end":9,"count":1.5},{"start":0,"end":9,"count":1e30}]"#
    maker.add(#"{"unit":"ms","source":"d#1","appVersion":"1","bins":\#(odd)}"#, "n", "PayloadHistogram")
    maker.add(.number(1), "n", of: whole)
    let archive = try archive(of: maker.text)
    #expect(archive.unread == 6 && archive.payloads.count == 1)
    let rest = PayloadArchive.Value.bins([.init(start: 0, end: 9, count: .max)])
    #expect(archive.payloads[0].values.map(\.value) == [rest, .number(1)])
  }
}
