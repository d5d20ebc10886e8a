import Essentials

/// A socket address in the system's representation.
struct SocketAddress: Hashable, Sendable {
  let family: Int32
  /// The bytes of a `sockaddr` of its family.
  let bytes: [UInt8]
}

/// The system's datagrams; replaced in tests.
protocol DatagramNetwork: Sendable {
  /// All addresses of the receiver; blocks for the duration of a name lookup.
  func addresses() -> [SocketAddress]
  /// A socket that sends to an address; `nil` if the address is unreachable.
  func open(_ address: SocketAddress) -> Int32?
  /// Sends without blocking; returns 0 or an error number.
  func send(_ datagram: [UInt8], over socket: Int32) -> Int32
  /// The network error since the last call; 0 if there was none.
  func complaint(of socket: Int32) -> Int32
  func close(_ socket: Int32)
}

/// Sends datagrams to the first address of a host that accepts them, and counts the outcome.
///
/// UDP has no acknowledgement. But a host without a listener at the port says so, and the system reports it on the
/// next call: immediately on loopback, with the next datagram for a remote host.
struct DatagramDelivery: Sendable {
  private(set) var counts = DogStatsDTracking.Counts()
  /// The first address is the one in use.
  private var addresses: [SocketAddress] = []
  private var socket: Int32?

  /// Sends datagrams in their order.
  mutating func deliver(_ datagrams: [[UInt8]], over network: some DatagramNetwork) {
    if addresses.isEmpty { addresses = network.addresses() }
    for datagram in datagrams {
      if send(datagram, over: network) { counts.sent += 1 } else { counts.failed += 1 }
    }
  }

  /// Closes the socket.
  mutating func end(over network: some DatagramNetwork) {
    if let socket { network.close(socket) }
    socket = nil
  }

  private mutating func send(_ datagram: [UInt8], over network: some DatagramNetwork) -> Bool {
    // One more attempt than there are addresses: the first error may belong to an earlier datagram.
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
      // A datagram that does not fit here fits at no address.
      case EAGAIN, EWOULDBLOCK, ENOBUFS, ENOMEM, EMSGSIZE: return false
      default: moveOn(over: network)
      }
    }
    // No address accepts it. The host may have moved, so the next delivery looks it up again.
    addresses = []
    return false
  }

  /// Corrects the counts for a datagram that was counted as sent but never arrived.
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
