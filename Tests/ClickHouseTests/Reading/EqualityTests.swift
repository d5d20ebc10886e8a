import Essentials
import History
import Platform
import TestSupport
import Testing

@testable import ClickHouse

#if os(Linux)
  /// The same samples, asked for in files and on Debian's ClickHouse.
  ///
  /// Questions: `$EQUALITY_QUERIES`, or 300. Not equal by design, and left out: nulls of the fields of structs, which have
  /// no rows; texts of a series beyond ``TextTable/limit``, of which files keep the first and a server the most
  /// frequent; the byte offsets of rows, which are numbers of rows on a server; and other series beside a sample.
  @Suite("A server answers as the files do")
  struct EqualityTests {
    private static let files = 10

    @Test(.enabled(if: TestServer.isInstalled, "clickhouse-server is not installed"))
    func `the same questions have the same answers`() throws {
      let folder = try TemporaryFolder()
      let server = try TestServer()
      defer { server.stop() }
      var made = MixedFiles(seed: 5)
      var paths: [String] = []
      for (number, text) in try made.texts(Self.files, samples: 1500).enumerated() {
        paths.append(try folder.write(text, to: "host\(number).jsonl"))
        try server.ship(text, of: paths[number], stream: UInt64(number) << 60 | 7)
      }
      let (files, source) = (FileAnswers(paths), server.source())
      #expect(source.refresh() && !source.refresh())
      let whole = try source.answer(HistoryQuery(window: .allTime, playhead: Timestamp(0))) { _, _ in true }
      var queries = RandomQueries(whole, seed: 9)
      var last: (server: HistoryAnswer, files: HistoryAnswer)?
      var wrong = 0
      let count = ProcessInfo.processInfo.environment["EQUALITY_QUERIES"].flatMap { Int($0) } ?? 300
      for number in 0..<count where wrong < 5 {
        let (query, other) = queries.next(after: last)
        let answers = (
          server: try source.answer(query) { _, _ in true }, files: try files.answer(other, query.scope)
        )
        let differences = AnswerComparison(files: answers.files, server: answers.server).differences
        if !differences.isEmpty { wrong += 1 }
        #expect(differences.count == 0, "\(number): \(differences.map { $0.prefix(300) }) \(query)")
        last = answers
      }
    }

    /// The files of a history, and each of them as a history of its own.
    private struct FileAnswers {
      private let all: IndexMaintainer
      private let hosts: [String: IndexMaintainer]

      init(_ paths: [String]) {
        all = Self.maintainer(paths)
        hosts = Dictionary(
          uniqueKeysWithValues: paths.map { ($0, Self.maintainer([$0])) })
      }

      private static func maintainer(_ paths: [String]) -> IndexMaintainer {
        // Small blocks, so that there are indexes to answer from.
        IndexMaintainer(paths: paths, cache: nil, blockSize: 1 << 14, looseLimit: 0)
      }

      func answer(_ query: HistoryQuery, _ scope: HostScope) throws -> HistoryAnswer {
        let maintainer = scope.host.flatMap { hosts[$0] } ?? all
        if maintainer.refresh() { try maintainer.index { _, _ in true } }
        return try maintainer.refined(try maintainer.answer(query)) { true }
      }
    }
  }
#endif
