import Essentials

/// Datagrams over the system's IPv4 and IPv6 sockets.
struct SystemDatagrams: DatagramNetwork {
  let host: String
  let port: UInt16

  func addresses() -> [SocketAddress] {
    // A C string ends at its first zero byte and would name another host.
    guard !host.isEmpty, !host.utf8.contains(0) else { return [] }
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = datagramKind
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let list else { return [] }
    defer { freeaddrinfo(list) }
    return sequence(first: list, next: \.pointee.ai_next).compactMap { entry in
      guard let address = entry.pointee.ai_addr else { return nil }
      let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen))
      return SocketAddress(family: entry.pointee.ai_family, bytes: Array(bytes))
    }
  }

  func open(_ address: SocketAddress) -> Int32? {
    let descriptor = socket(address.family, datagramKind, 0)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
      platformClose(descriptor)
      return nil
    }
    var storage = sockaddr_storage()
    let isWhole = withUnsafeMutableBytes(of: &storage) { storage in
      guard address.bytes.count <= storage.count else { return false }
      storage.copyBytes(from: address.bytes)
      return true
    }
    let count = socklen_t(address.bytes.count)
    let result = withUnsafePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, count) }
    }
    if isWhole, result == 0 { return descriptor }
    platformClose(descriptor)
    return nil
  }

  func send(_ datagram: [UInt8], over socket: Int32) -> Int32 {
    while true {
      if platformSend(socket, datagram, datagram.count) >= 0 { return 0 }
      let error = errno
      if error != EINTR { return error }
    }
  }

  func complaint(of socket: Int32) -> Int32 {
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno
  }

  func close(_ socket: Int32) {
    platformClose(socket)
  }
}

#if canImport(Glibc)
  private let datagramKind = Int32(SOCK_DGRAM.rawValue)
#else
  private let datagramKind = SOCK_DGRAM
#endif

// Within the type, the plain names would refer to its own methods.
private func platformSend(_ socket: Int32, _ bytes: [UInt8], _ count: Int) -> Int {
  send(socket, bytes, count, 0)
}
private func platformClose(_ descriptor: Int32) { _ = close(descriptor) }
