import MisterMetricsCore
import Platform
import Testing

@testable import TelemetryCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A network whose addresses are numbers, and that does as it is told.
private final class TestNetwork: DatagramNetwork {
  struct State {
    /// The results of the next sends on the sockets of addresses; 0 where nothing is left.
    var answers: [UInt8: [Int32]] = [:]
    /// Their complaints when asked, one after the other.
    var complaints: [UInt8: [Int32]] = [:]
    var unreachable: Set<UInt8> = []
    var hosts: [UInt8]
    /// The actions: `look-up`, `open 1`, `send 1 text`, `close 1`.
    var journal: [String] = []
  }

  let state: Locked<State>

  init(_ hosts: UInt8...) {
    state = Locked(State(hosts: hosts))
  }

  func set(_ body: @Sendable (inout State) -> Void) {
    state.withLock { state in body(&state) }
  }

  var journal: [String] { state.withLock { $0.journal } }

  func addresses() -> [SocketAddress] {
    state.withLock { state in
      state.journal.append("look-up")
      return state.hosts.map { SocketAddress(family: 2, bytes: [$0]) }
    }
  }

  func open(_ address: SocketAddress) -> Int32? {
    let number = address.bytes.first ?? 0
    return state.withLock { state in
      guard !state.unreachable.contains(number) else { return nil }
      state.journal.append("open \(number)")
      return Int32(number)
    }
  }

  func send(_ datagram: [UInt8], over socket: Int32) -> Int32 {
    state.withLock { state in
      state.journal.append("send \(socket) \(String(decoding: datagram, as: UTF8.self))")
      let answer = state.answers[UInt8(socket)]?.first
      state.answers[UInt8(socket)] = state.answers[UInt8(socket)].map { Array($0.dropFirst()) }
      return answer ?? 0
    }
  }

  func complaint(of socket: Int32) -> Int32 {
    state.withLock { state in
      let complaint = state.complaints[UInt8(socket)]?.first
      state.complaints[UInt8(socket)] = state.complaints[UInt8(socket)].map { Array($0.dropFirst()) }
      return complaint ?? 0
    }
  }

  func close(_ socket: Int32) {
    state.withLock { $0.journal.append("close \(socket)") }
  }
}

@Suite("Where datagrams go")
struct DatagramDeliveryTests {
  private func deliver(
    _ texts: [String]..., over network: TestNetwork
  ) -> (sent: Int, failed: Int, journal: [String]) {
    var delivery = DatagramDelivery()
    for texts in texts { delivery.deliver(texts.map { Array($0.utf8) }, over: network) }
    delivery.end(over: network)
    return (delivery.counts.sent, delivery.counts.failed, network.journal)
  }

  @Test("one look-up and one socket serve all")
  func plain() {
    let result = deliver(["a", "b"], ["c"], over: TestNetwork(1, 2))
    #expect(result == (3, 0, ["look-up", "open 1", "send 1 a", "send 1 b", "send 1 c", "close 1"]))
  }

  @Test("an address that refuses is left for the next one")
  func next() {
    let network = TestNetwork(1, 2, 3)
    network.set { state in
      state.unreachable = [1]
      state.answers[2] = [ECONNREFUSED]
    }
    #expect(
      deliver(["a", "b"], over: network)
        == (2, 0, ["look-up", "open 2", "send 2 a", "close 2", "open 3", "send 3 a", "send 3 b", "close 3"]))
  }

  @Test("a complaint that comes at once is of this datagram, one before it is of the last")
  func complaints() {
    let network = TestNetwork(1)
    // Asked before and after each: b is lost, which is heard of before c, and c is refused at once and sent again.
    network.set { $0.complaints[1] = [0, 0, 0, 0, ECONNREFUSED, 0, ECONNREFUSED] }
    let result = deliver(["a", "b", "c"], over: network)
    #expect((result.sent, result.failed) == (1, 2))
    #expect(result.journal.filter { $0.hasPrefix("send") } == ["send 1 a", "send 1 b", "send 1 c"])
    network.set { $0.complaints[1] = [0, 0, ECONNREFUSED] }
    let again = deliver(["a", "b"], over: network)
    #expect((again.sent, again.failed) == (1, 1))
  }

  @Test("a full buffer loses the datagram and nothing else", arguments: [EAGAIN, ENOBUFS, EMSGSIZE])
  func full(error: Int32) {
    let network = TestNetwork(1, 2)
    network.set { $0.answers[1] = [0, error, 0] }
    #expect(
      deliver(["a", "b", "c"], over: network)
        == (2, 1, ["look-up", "open 1", "send 1 a", "send 1 b", "send 1 c", "close 1"]))
  }

  @Test("a host that nobody answers for is looked up anew for the next delivery")
  func nobody() {
    let network = TestNetwork(1)
    network.set { $0.unreachable = [1] }
    #expect(deliver(["a", "b"], ["c"], over: network) == (0, 3, ["look-up", "look-up"]))
    #expect(deliver(["a"], ["b"], over: TestNetwork()) == (0, 2, ["look-up", "look-up"]))
  }

  @Test("what does not fit into the row is lost and counted, and the socket is closed at the end")
  func row() async {
    let network = TestNetwork(1)
    do {
      let transport = DatagramTransport(network: network)
      transport.send((0...DatagramTransport.capacity).map { [UInt8($0 % 256)] }, unsendable: 2)
      await transport.flush()
      #expect(transport.counts.sent == 1000 && transport.counts.failed == 3)
    }
    #expect(network.journal.last == "close 1")
  }
}
