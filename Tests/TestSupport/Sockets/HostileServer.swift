import Foundation
import Platform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A server on loopback that treats each connection as a test says, on a thread for each.
package final class HostileServer: Sendable {
  package typealias Script = @Sendable (HostileConnection) -> Void

  package let port: UInt16
  private let socket: Int32
  private let count = Locked(0)

  /// Listens on a free port.
  ///
  /// - Parameter script: What happens to a connection, which is closed at its end.
  package init(_ script: @escaping Script) throws {
    (socket, port) = try Loopback.listen(backlog: 16)
    SystemThread.start("server") { [socket, count] in
      while true {
        let descriptor = accept(socket, nil, nil)
        guard descriptor >= 0 else { return }
        let number = count.withLock { count in
          count += 1
          return count
        }
        let connection = HostileConnection(descriptor, number: number)
        SystemThread.start("connection") { script(connection) }
      }
    }
  }

  deinit {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  /// How many connections were accepted so far.
  package var connections: Int { count.withLock { $0 } }
}

/// A connection with a client, as the server has it.
package final class HostileConnection: Sendable {
  /// The first one is 1.
  package let number: Int
  private let descriptor: Int32

  package init(_ descriptor: Int32, number: Int) {
    (self.descriptor, self.number) = (descriptor, number)
    Loopback.prepare(descriptor)
  }

  deinit { close(descriptor) }

  /// Reads a whole request; `nil` if the client closes first.
  package func readRequest() -> (head: String, body: [UInt8])? {
    var bytes: [UInt8] = []
    while true {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let length = head.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) } ?? 0
        if bytes.count >= end.upperBound + length { return (head, Array(bytes[end.upperBound...])) }
      }
      let piece = read()
      guard !piece.isEmpty else { return nil }
      bytes += piece
    }
  }

  /// The client's next bytes; empty when it has closed.
  package func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return Array(buffer.prefix(max(count, 0)))
  }

  /// Waits for the client to close.
  package func waitForEnd() {
    while !read().isEmpty {}
  }

  /// Sends all of a text; false when the client has closed.
  @discardableResult
  package func send(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { send(UnsafeRawBufferPointer($0)) == $0.count }
  }

  /// Sends the same bytes again and again until the client closes or a number of bytes is sent.
  ///
  /// - Returns: How many the system took.
  package func flood(_ text: String, upTo limit: Int) -> Int {
    let block = Array(String(repeating: text, count: max(1, (64 << 10) / text.utf8.count)).utf8)
    var sent = 0
    while sent < limit {
      let count = block.withUnsafeBytes { send($0) }
      sent += count
      if count < block.count { break }
    }
    return sent
  }

  /// Sends a text, one byte in some milliseconds, again and again until the client closes.
  package func drip(_ text: String, every milliseconds: UInt32 = 5) {
    while true {
      for byte in text.utf8 {
        usleep(milliseconds * 1000)
        guard withUnsafeBytes(of: byte, { send($0) }) == 1 else { return }
      }
    }
  }

  /// Has the close reset the connection, as after a crash.
  package func resetAtEnd() {
    var value = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
  }

  private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    var sent = 0
    while sent < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
      let count = Loopback.send(descriptor, rest)
      guard count > 0 else { break }
      sent += count
    }
    return sent
  }
}

/// A port that takes no connection: those that wait fill its queue.
package final class FullPort: Sendable {
  package let port: UInt16
  private let sockets: [Int32]

  package init() throws {
    let (socket, port) = try Loopback.listen(backlog: 0)
    self.port = port
    sockets = [socket] + (0..<4).map { _ in Loopback.connectWithoutWaiting(to: port) }
  }

  deinit { sockets.forEach { close($0) } }
}

/// A port of this test's own that no one listens on.
package final class ClosedPort: Sendable {
  package let port: UInt16
  private let socket: Int32

  package init() throws { (socket, port) = try Loopback.listen(backlog: nil) }

  deinit { close(socket) }
}

/// Sockets on 127.0.0.1.
package enum Loopback {
  package struct Failure: Error {
    let number: Int32
  }

  /// Takes a free port; without a backlog no one can connect to it.
  package static func listen(backlog: Int32?) throws -> (socket: Int32, port: UInt16) {
    let descriptor = socket()
    var address = address(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && (backlog.map { systemListen(descriptor, $0) } ?? 0) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isListening else {
      let number = errno
      close(descriptor)
      throw Failure(number: number)
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// A port that was free a moment ago.
  package static func freePort() throws -> UInt16 { try ClosedPort().port }

  package static func connectWithoutWaiting(to port: UInt16) -> Int32 {
    let descriptor = socket()
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    connect(descriptor, to: port)
    return descriptor
  }

  /// True if somebody listens there.
  package static func answers(_ port: UInt16) -> Bool {
    let descriptor = socket()
    defer { close(descriptor) }
    return connect(descriptor, to: port)
  }

  /// A client that is gone is no signal.
  package static func prepare(_ descriptor: Int32) {
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
    #elseif canImport(Glibc)
      Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      Musl.send(descriptor, bytes.baseAddress, bytes.count, MSG_NOSIGNAL)
    #endif
  }

  private static func socket() -> Int32 {
    #if canImport(Glibc)
      let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #elseif canImport(Musl)
      let descriptor = Musl.socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    // A process that a test starts must not keep a port.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }

  @discardableResult
  private static func connect(_ descriptor: Int32, to port: UInt16) -> Bool {
    var address = address(port: port)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        systemConnect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}

// Inside `Loopback` the plain names would mean its own functions.
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t)
  -> Int32
{
  connect(descriptor, address, size)
}
