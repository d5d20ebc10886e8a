#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A real UDP socket on loopback that takes datagrams.
final class UDPListener: Sendable {
  let port: UInt16
  private let socket: Int32

  /// Listens on a free port of 127.0.0.1 or ::1; nil where there is no such address.
  init?(family: Int32 = AF_INET) {
    #if canImport(Glibc)
      let descriptor = Glibc.socket(family, Int32(SOCK_DGRAM.rawValue), 0)
    #elseif canImport(Musl)
      let descriptor = Musl.socket(family, SOCK_DGRAM, 0)
    #else
      let descriptor = Darwin.socket(family, SOCK_DGRAM, 0)
    #endif
    guard descriptor >= 0 else { return nil }
    let found = family == AF_INET ? Self.bindIPv4(descriptor) : Self.bindIPv6(descriptor)
    guard let found else {
      close(descriptor)
      return nil
    }
    (socket, port) = (descriptor, found)
  }

  deinit {
    close(socket)
  }

  /// The next datagram, nil if none comes for twenty seconds.
  func receive() -> String? {
    var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 20_000) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &bytes, bytes.count, 0)
    return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  private static func bindIPv4(_ descriptor: Int32) -> UInt16? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return bound(descriptor, &address).map { UInt16(bigEndian: $0.sin_port) }
  }

  private static func bindIPv6(_ descriptor: Int32) -> UInt16? {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return bound(descriptor, &address).map { UInt16(bigEndian: $0.sin6_port) }
  }

  /// Binds, and gives the address back that it got.
  private static func bound<Address>(_ descriptor: Int32, _ address: inout Address) -> Address? {
    var size = socklen_t(MemoryLayout<Address>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    return isBound ? address : nil
  }
}
