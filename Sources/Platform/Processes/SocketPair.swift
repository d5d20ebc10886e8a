import Essentials

/// Two connected sockets: writing to one whose other end is closed raises no signal, unlike with pipes.
package enum SocketPair {
  /// Two sockets that no child program inherits; `nil` with the reason in `errno`.
  package static func make() -> (own: Int32, other: Int32)? {
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, streamKind, 0, &pair) == 0 else { return nil }
    for descriptor in pair { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(pair[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return (pair[0], pair[1])
  }

  /// Sends bytes over the own socket; returns the number sent, or -1 with the reason in `errno`.
  package static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int {
    #if canImport(Darwin)
      systemSend(socket, bytes.baseAddress, bytes.count, 0)
    #else
      systemSend(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  #if canImport(Glibc)
    private static let streamKind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  #else
    private static let streamKind = SOCK_STREAM
  #endif
}

// Inside the type, the plain name would refer to its own method.
private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
  send(socket, bytes, count, flags)
}
