import Essentials

/// An address of a socket, as the system has it.
struct SocketAddress: Hashable, Sendable {
  let family: Int32
  /// The bytes of a `sockaddr` of that family.
  let bytes: [UInt8]
}

/// The system's datagrams; tests pass others.
protocol DatagramNetwork: Sendable {
  /// All addresses of the receiver; may take as long as a look-up takes.
  func addresses() -> [SocketAddress]
  /// A socket that sends to an address, `nil` where there is no way to it.
  func open(_ address: SocketAddress) -> Int32?
  /// Sends without waiting: 0, or what the system says.
  func send(_ datagram: [UInt8], over socket: Int32) -> Int32
  /// Complaint of the network since the last call: 0 for none.
  func complaint(of socket: Int32) -> Int32
  func close(_ socket: Int32)
}

/// Sends datagrams to the first address of a host that takes them, and counts what became of them.
///
/// UDP has no answer. But a host that has no one at a port says so, and the system passes that on with the next call:
/// on loopback at once, from afar when the next datagram is due.
struct DatagramDelivery: Sendable {
  private(set) var counts = DogStatsDTracking.Counts()
  /// The one in use is the first.
  private var addresses: [SocketAddress] = []
  private var socket: Int32?

  /// Sends datagrams in their order.
  mutating func deliver(_ datagrams: [[UInt8]], over network: some DatagramNetwork) {
    if addresses.isEmpty { addresses = network.addresses() }
    for datagram in datagrams {
      if send(datagram, over: network) { counts.sent += 1 } else { counts.failed += 1 }
    }
  }

  /// Gives the socket back.
  mutating func end(over network: some DatagramNetwork) {
    if let socket { network.close(socket) }
    socket = nil
  }

  private mutating func send(_ datagram: [UInt8], over network: some DatagramNetwork) -> Bool {
    // Once more than there are addresses: the first complaint may be one of an earlier datagram.
    for _ in 0...addresses.count {
      guard let address = addresses.first else { return false }
      guard let socket = socket ?? network.open(address) else {
        moveOn(over: network)
        continue
      }
      self.socket = socket
      if network.complaint(of: socket) != 0 {
        withdraw()
        moveOn(over: network)
        continue
      }
      switch network.send(datagram, over: socket) {
      case 0:
        if network.complaint(of: socket) == 0 { return true }
        moveOn(over: network)
      // A datagram that does not fit here fits nowhere.
      case EAGAIN, EWOULDBLOCK, ENOBUFS, ENOMEM, EMSGSIZE: return false
      default: moveOn(over: network)
      }
    }
    // No one takes it. The host may have moved: the next delivery looks it up again.
    addresses = []
    return false
  }

  /// A datagram that was counted as sent never arrived.
  private mutating func withdraw() {
    guard counts.sent > 0 else { return }
    counts.sent -= 1
    counts.failed += 1
  }

  private mutating func moveOn(over network: some DatagramNetwork) {
    end(over: network)
    addresses.append(addresses.removeFirst())
  }
}
