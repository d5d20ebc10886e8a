import Dispatch
import Platform

/// Sends datagrams on its own queue, so that no caller waits for a name lookup or the network.
final class DatagramTransport: Sendable {
  /// Maximum datagrams waiting for the name lookup; further ones are lost.
  static let capacity = 1000

  private struct State {
    var row: [[UInt8]] = []
    /// Used only on the queue, which puts it back when done.
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

  /// Enqueues datagrams for sending.
  ///
  /// - Parameter unsendable: Number of lost lines that could not be put into a datagram.
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

  /// Returns once everything enqueued before has been sent or abandoned.
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
