import DeliveryCore
import Foundation
import MisterMetricsCore
import Platform

/// Sends events through a whole client, with its files and real sockets, and prints what became of them as JSON.
///
///   delivery-soak HOST COUNT FOLDER
///
/// The client's clock runs fifty times as fast as that of the machine. Between portions the network goes away now and then.
/// Once everything is offered a file `calm` is made in the folder, for the server to take everything from then on.
@main
struct DeliverySoak {
  /// The fate of the events; the keys are those of the script that reads them.
  struct Report: Encodable {
    var offered = 0
    var delivered = 0
    var dropped: [String: Int] = [:]
    var left = 0
    var attempts = 0
    var offline = 0
    var peakKiB = 0
    var seconds = 0.0
  }

  struct Failure: Error {
    let description: String
  }

  /// Events that are offered at once.
  private static let portion = 500

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let count = Int(arguments[2]) else {
      throw Failure(description: "delivery-soak HOST COUNT FOLDER")
    }
    let report = try await run(host: arguments[1], count: count, URL(fileURLWithPath: arguments[3]))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try FileHandle.standardOutput.write(contentsOf: encoder.encode(report))
  }

  private static func run(host: String, count: Int, _ folder: URL) async throws -> Report {
    let network = SoakNetwork()
    let account = EventAccount()
    var environment = DeliveryEnvironment.system
    environment.clock = FastClock()
    environment.log = { _ in }
    var options = InitOptions(writeKey: "soak-key", ingestionHost: host)
    options.dataFolder = folder.appendingPathComponent("client")
    options.transport = FastTransport()
    options.networkMonitor = network
    options.metrics = AnyMetricStore(account)
    let proxy = AnalyticsProxy(environment)
    let start = ContinuousClock.now
    await proxy.initializeAndWait(with: options)
    var report = Report(offered: count)
    for first in stride(from: 0, to: count, by: portion) {
      let isOffline = first / portion % 100 == 5
      if isOffline {
        network.change(isOnline: false)
        report.offline += 1
      }
      for number in first..<min(count, first + portion) {
        proxy.track("\(number)", properties: ["order": "A-1017", "total": 12.5, "item": ["name": "tea"]])
      }
      await proxy.wait { .flush($0) }
      if isOffline { network.change(isOnline: true) }
      try await settle(proxy)
    }
    try Data().write(to: folder.appendingPathComponent("calm"))
    try await settle(proxy, until: 0)
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    let state = await account.whenComplete(count)
    report.delivered = state.delivered
    report.dropped = state.dropped
    report.left = state.left
    report.attempts = state.attempts
    report.peakKiB = try peak()
    return report
  }

  /// Waits until the client has caught up: offering without an end would only measure its limits.
  private static func settle(_ proxy: AnalyticsProxy, until limit: Int64 = 1000) async throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while true {
      let info = await proxy.getDebugInfo()
      guard case .integer(let inMemory)? = info["queueLength"] else { throw Failure(description: "\(info)") }
      if inMemory <= limit, info["hasDiskData"] == false, limit > 0 || info["flushInFlight"] == false {
        return
      }
      guard ContinuousClock.now < deadline else {
        throw Failure(description: "the client does not go on: \(info)")
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// The most memory that this process had.
  private static func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
  }
}
