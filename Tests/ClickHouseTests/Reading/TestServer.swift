import Foundation
import JSONLines
import Platform
import TestSupport

@testable import ClickHouse

#if os(Linux)
  /// Debian's ClickHouse in a folder of its own, with the tables of ``Schema`` as far as it knows them.
  ///
  /// With `$CLICKHOUSE_TEST_ADDRESS` a current server that is already there, whose tables are made again.
  final class TestServer {
    static let isInstalled = ["/usr/bin", "/usr/sbin"].contains {
      FileManager.default.isExecutableFile(atPath: $0 + "/clickhouse-server")
    }

    struct Problem: Error {
      let text: String
    }

    let address: ServerAddress
    private let folder = Result { try TemporaryFolder() }
    private let process = Process()

    init() throws {
      if let given = ProcessInfo.processInfo.environment["CLICKHOUSE_TEST_ADDRESS"] {
        address = try ServerAddress(given)
        // The samples of tests are older than the tables keep them.
        let tables = Schema(database: address.database).tables.replacing(/\nTTL [^\n;]*/, with: "")
        try run("DROP DATABASE IF EXISTS \(address.database);\n" + tables)
        return
      }
      let folder = try folder.get()
      let port = try Self.freePort()
      address = try ServerAddress("clickhouse://127.0.0.1:\(port)/shop")
      _ = try folder.write(Self.configuration(folder.url.path, port), to: "config.xml")
      _ = try folder.write(Self.users, to: "users.xml")
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["clickhouse-server", "--config-file", folder.path("config.xml")]
      process.environment = ["PATH": "/usr/bin:/usr/sbin:/bin"]
      process.currentDirectoryURL = folder.url
      (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
      try process.run()
      let link = try link()
      for _ in 0..<600 {
        if case .success = link.run("SELECT 1", settings: [], rows: []) {
          try run(Self.oldDialect(Schema(database: address.database).tables))
          return
        }
        usleep(100_000)
      }
      throw Problem(text: "clickhouse-server does not start")
    }

    func stop() {
      guard process.isRunning else { return }
      // It would wait for open connections.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    func link() throws -> HTTPServerLink {
      try HTTPServerLink(address, environment: [:], authorities: nil, stop: WakeSignal())
    }

    func source() -> ClickHouseSource {
      ClickHouseSource(of: address, interruption: ServerReader.Interruption()) {
        [address] interruption throws(ServerProblem) in
        try ServerReader(of: address, environment: [:], interruption: interruption)
      }
    }

    private func run(_ statements: String) throws {
      let link = try link()
      for statement in statements.components(separatedBy: ";\n")
      where statement.contains("shop") && !statement.contains("shop.lines") {
        if case .failure(let failure) = link.run(statement, settings: [], rows: []) { throw failure }
      }
    }

    /// Ships a file, as `ship` does; its name is the host's.
    func ship(_ text: String, of host: String, stream: UInt64) throws {
      var (scanner, batch) = (SampleScanner(), SampleBatch())
      Array(text.utf8).withUnsafeBytes { scanner.scan($0, into: &batch) }
      var (cutter, number) = (BlockCutter(host: host), UInt64(0))
      var blocks: [Block] = []
      for sample in batch.samples {
        let row = SampleRow(sample, of: scanner.catalogue[sample.metric], batch.payload(of: sample))
        guard let row else { throw Problem(text: "a time that the table cannot represent") }
        if let block = cutter.append(row, stream: stream, number: number) { blocks.append(block) }
        number += 1
      }
      if let block = cutter.cut() { blocks.append(block) }
      var last: Shipper.Event?
      let shipper = Shipper(try link(), database: address.database, host: host, wait: { _ in false }) {
        last = $0
      }
      for block in blocks where !shipper.deliver(block) { throw Problem(text: "not taken: \(last as Any)") }
    }

    /// Without what a server of 2018 does not know: codecs, times to live, settings of tables, shared texts.
    private static func oldDialect(_ statements: String) -> String {
      let patterns = [
        #" CODEC\((?:[^()]|\([^()]*\))*\)"#, #",\s*time DateTime64\(9, 'UTC'\) ALIAS [^\n]*"#, #"\nTTL .*"#,
        #"\nSETTINGS .*?(?=;)"#, #"\nWHERE at >= .*"#,
      ]
      let old = patterns.reduce(statements) {
        $0.replacingOccurrences(of: $1, with: "", options: .regularExpression)
      }
      return old.replacing("LowCardinality(String)", with: "String")
    }

    private static func freePort() throws -> Int {
      let end = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(end) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(end, $0, size) == 0 ? getsockname(end, $0, &size) : -1
        }
      }
      guard status == 0 else { throw Problem(text: "no free port") }
      return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func configuration(_ folder: String, _ port: Int) -> String {
      """
      <yandex>
        <logger><level>warning</level><log>\(folder)/log</log><errorlog>\(folder)/err</errorlog></logger>
        <listen_host>127.0.0.1</listen_host><http_port>\(port)</http_port>
        <mark_cache_size>67108864</mark_cache_size><path>\(folder)/data/</path><tmp_path>\(folder)/tmp/</tmp_path>
        <users_config>\(folder)/users.xml</users_config><default_profile>default</default_profile>
        <default_database>default</default_database><timezone>UTC</timezone>
      </yandex>
      """
    }

    private static let users = """
      <yandex><profiles><default></default></profiles><users><default><password></password>
        <networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
      </users><quotas><default></default></quotas></yandex>
      """
  }
#endif
