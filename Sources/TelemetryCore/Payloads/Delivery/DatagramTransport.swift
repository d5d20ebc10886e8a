import Dispatch
import Platform

/// Sends datagrams on a queue of its own, so that no caller waits for a look-up or a network.
final class DatagramTransport: Sendable {
  /// Maximum datagrams that wait for the look-up of a host; further ones are lost.
  static let capacity = 1000

  private struct State {
    var row: [[UInt8]] = []
    /// Used on the queue alone, which puts it back when it has done.
    var delivery = DatagramDelivery()
    /// Datagrams lost before they could be sent.
    var lost = 0
  }

  private let network: any DatagramNetwork
  private let queue = DispatchQueue(label: "Telemetry.datagrams", qos: .utility)
  private let state = Locked(State())

  convenience init(host: String, port: UInt16) {
    self.init(network: SystemDatagrams(host: host, port: port))
  }

  init(network: any DatagramNetwork) {
    self.network = network
  }

  deinit {
    state.withLock { $0.delivery.end(over: network) }
  }

  var counts: DogStatsDTracking.Counts {
    state.withLock { state in
      var counts = state.delivery.counts
      counts.failed += state.lost
      return counts
    }
  }

  /// Sends datagrams, soon.
  ///
  /// - Parameter unsendable: How many more would have been, could they be sent at all.
  func send(_ datagrams: [[UInt8]], unsendable: Int = 0) {
    let isFirst = state.withLock { state in
      let room = max(0, Self.capacity - state.row.count)
      let wasEmpty = state.row.isEmpty
      state.row += datagrams.prefix(room)
      state.lost += max(0, datagrams.count - room) + unsendable
      return wasEmpty && !state.row.isEmpty
    }
    if isFirst { queue.async { self.deliver() } }
  }

  /// Returns when all that was given before was sent or abandoned.
  func flush() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }

  private func deliver() {
    var (row, delivery) = state.withLock { state in
      defer { state.row = [] }
      return (state.row, state.delivery)
    }
    delivery.deliver(row, over: network)
    row = []
    state.withLock { $0.delivery = delivery }
  }
}
