import Aggregation
import Essentials
import History
import JSONLines
import Platform
import TestSupport
import Testing

@testable import ClickHouse

#if os(Linux)
  /// Against Debian's ClickHouse.
  @Suite(
    "Reading from a server", .enabled(if: TestServer.isInstalled, "clickhouse-server is not installed"))
  struct ServerReadingTests {
    private static func line(_ value: Int, at time: Double) -> String {
      let base64 = Data("\(value)".utf8).base64EncodedString()
      return
        #"{"metric":{"bucket":"b","name":"n","valueTypeString":"Int"},"timestamp":\#(time),"value":"\#(base64)"}"#
        + "\n"
    }

    @Test func `an interrupted question ends here and on the server`() throws {
      let server = try TestServer()
      defer { server.stop() }
      let interruption = ServerReader.Interruption()
      let reader = try ServerReader(of: server.address, environment: [:], interruption: interruption)
      SystemThread.start("interrupt", stackSize: 1 << 20) {
        usleep(300_000)
        interruption()
      }
      let begin = MonotonicInstant.now()
      #expect(throws: CancellationError.self) { try reader.ask("SELECT count() FROM system.numbers") }
      #expect(MonotonicInstant.now() - begin < 5)
      reader.begin()
      var running = 1
      for _ in 0..<100 where running > 0 {
        running =
          try reader.rows(
            "SELECT count() FROM system.processes WHERE query LIKE '%system.numbers%' AND query NOT LIKE '%processes%'"
          ) {
            row throws(RowBinaryReader.Damage) in try row.tally()
          }.first ?? 0
        usleep(50_000)
      }
      #expect(running == 0)
    }

    @Test func `what goes wrong is one sentence`() throws {
      let server = try TestServer()
      let link = try server.link()
      #expect(words(server.address).isEmpty)
      let host = server.address.server
      _ = link.run("CREATE DATABASE old", settings: [], rows: [])
      _ = link.run("CREATE TABLE old.samples (at Int64) ENGINE = Memory", settings: [], rows: [])
      _ = link.run("CREATE TABLE old.slot_sums (at Int64) ENGINE = Memory", settings: [], rows: [])
      #expect(
        words(try ServerAddress("clickhouse://\(host)/none"))
          == "\(host) does not have the tables: mistertop ship --schema prints them")
      #expect(
        words(try ServerAddress("clickhouse://\(host)/old"))
          == "\(host) has tables of another version: mistertop ship --schema prints those of this one")
      #expect(
        words(try ServerAddress("clickhouse://stranger@\(host)/shop")).hasPrefix(
          "\(host) refuses the user or the password"))
      server.stop()
      #expect(words(server.address).hasPrefix("\(host) does not answer"))
    }

    private func words(_ address: ServerAddress) -> String {
      let source = ClickHouseSource(of: address, interruption: ServerReader.Interruption()) {
        interruption throws(ServerProblem) in
        try ServerReader(of: address, environment: [:], interruption: interruption)
      }
      do {
        _ = try source.answer(HistoryQuery(window: .allTime, playhead: Timestamp(0))) { _, _ in true }
        return ""
      } catch {
        return IndexPass.Failure.words(of: error)
      }
    }

    @Test func `the newest seconds are replaced, not added`() throws {
      let server = try TestServer()
      defer { server.stop() }
      let now = 811_000_000.0
      let live = LiveSeconds(of: server.address) { () throws(ServerProblem) in
        try ServerReader(of: server.address, environment: [:], interruption: ServerReader.Interruption())
      }
      var count = 0
      for turn in 0..<40 {
        // A line of now, and one that arrives late.
        let time = now + Double(turn)
        try server.ship(
          Self.line(turn, at: time - 0.25) + Self.line(turn, at: time - 5.5), of: "h", stream: UInt64(turn))
        count += 2
        #expect(try live.poll(at: Timestamp(time)).store.recorded == count)
      }
      let store = try live.poll(at: Timestamp(now + 40)).store
      #expect(store.recorded == count && store.allSeries.count == 1)
    }

    @Test func `all lines come back in the order of time`() throws {
      let server = try TestServer()
      defer { server.stop() }
      let text = (0..<3000).map { Self.line($0, at: 811_000_000.0625 + Double($0) / 8) }.joined()
      try server.ship(text, of: "h", stream: 1)
      var (bytes, window) = ([UInt8](), Range(seconds: 811_000_000..<811_001_000))
      for source in try server.source().exportSources(in: window, of: .all) {
        _ = try source.forEachPiece { _, _, chunk, _ in bytes += chunk }
      }
      #expect(String(decoding: bytes, as: UTF8.self) == text)
      window = Range(seconds: 811_000_001..<811_000_002)
      bytes = []
      for source in try server.source().exportSources(in: window, of: .all) {
        _ = try source.forEachPiece { _, _, chunk, _ in bytes += chunk }
      }
      #expect(bytes.count { $0 == 0x0A } == 8)
    }
  }
#endif
