import BenchSupport
import DeliveryCore
import Foundation
import Platform

/// How fast events go out to a server on this machine.
enum Posts {
  /// Delivers so many events twice: from memory, and by way of the disk.
  static func measure(
    host: String, count: Int, _ folder: URL, keeping bodies: URL?
  ) async throws -> [Figure] {
    // As many as stay in memory, and many times as many as do.
    let memory = try await deliver(host, count, by: 400, folder.appendingPathComponent("a"), bodies)
    let disk = try await deliver(host, count, by: 10_000, folder.appendingPathComponent("b"), nil)
    return [figure("memory", memory, count), figure("disk", disk, count)]
  }

  private static func figure(_ place: String, _ seconds: Double, _ count: Int) -> Figure {
    .init(
      "delivered to nginx from \(place), per event", seconds * 1e6 / Double(count), "µs",
      "\(Int(Double(count) / seconds)) events/s, tracked and posted")
  }

  private static func deliver(
    _ host: String, _ count: Int, by portion: Int, _ folder: URL, _ bodies: URL?
  ) async throws -> Double {
    var options = InitOptions(writeKey: "bench-key", ingestionHost: host)
    options.dataFolder = folder
    let keeper = BodyKeeper(folder: bodies)
    if bodies != nil { options.transport = keeper }
    let analytics = await Analytics.initializeAndWait(with: options)
    let start = ContinuousClock.now
    var sent = 0
    while sent < count {
      let end = min(count, sent + portion)
      for number in sent..<end {
        analytics.track(
          "Order Placed",
          properties: [
            "order": "A-\(number)", "total": 12.5, "gift": true, "count": number,
            "item": ["name": "tea", "grams": 250] as [String: Any],
          ] as [String: Any])
      }
      sent = end
      await Analytics.flushAndWait()
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let info = await analytics.getDebugInfo()
    await Analytics.resetAndWait()
    guard info["queueLength"] == 0, info["hasDiskData"] == false, info["dropped"] == [:] else {
      throw DeliveryBench.Failure(description: "not everything was delivered: \(info)")
    }
    try keeper.write()
    return seconds
  }
}

/// The transport of this system, which keeps what it posts in memory until the end.
private final class BodyKeeper: DeliveryTransport {
  private let system = SystemTransport.make()
  private let bodies = Locked<[Data]>([])
  private let folder: URL?

  init(folder: URL?) { self.folder = folder }

  func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
    bodies.withLock { $0.append(request.body) }
    return try await system.post(request)
  }

  /// Writes the bodies into files, for other programs to post.
  func write() throws {
    guard let folder else { return }
    for (index, body) in bodies.withLock({ $0 }).enumerated() {
      try body.write(to: folder.appendingPathComponent("batch-\(index)"))
    }
  }
}
