import Foundation
import Platform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A server on loopback that treats each connection according to a test's script, each on its own thread.
package final class HostileServer: Sendable {
  package typealias Script = @Sendable (HostileConnection) -> Void

  package let port: UInt16
  private let socket: Int32
  private let count = Locked(0)

  /// Listens on a free port.
  ///
  /// - Parameter script: Called with each connection, which is closed afterwards.
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

  /// The number of connections accepted so far.
  package var connections: Int { count.withLock { $0 } }
}

/// The server's end of a connection with a client.
package final class HostileConnection: Sendable {
  /// The number of the connection, from 1.
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

  /// The client's next bytes; empty if it has closed.
  package func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return Array(buffer.prefix(max(count, 0)))
  }

  /// Waits for the client to close the connection.
  package func waitForEnd() {
    while !read().isEmpty {}
  }

  /// Sends the whole text; false if the client has closed.
  @discardableResult
  package func send(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { send(UnsafeRawBufferPointer($0)) == $0.count }
  }

  /// Sends a text repeatedly until the client closes or `limit` bytes are sent.
  ///
  /// - Returns: The number of bytes accepted by the system.
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

  /// Sends a text byte by byte, with a pause of some milliseconds, repeatedly until the client closes.
  package func drip(_ text: String, every milliseconds: UInt32 = 5) {
    while true {
      for byte in text.utf8 {
        usleep(milliseconds * 1000)
        guard withUnsafeBytes(of: byte, { send($0) }) == 1 else { return }
      }
    }
  }

  /// Makes closing reset the connection, as after a crash.
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

/// A port that accepts no connections, because its queue is full.
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

/// A port reserved for this test on which nothing listens.
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

  /// Binds a free port; without a backlog, connections to it are refused.
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

  /// True if something listens on the port.
  package static func answers(_ port: UInt16) -> Bool {
    let descriptor = socket()
    defer { close(descriptor) }
    return connect(descriptor, to: port)
  }

  /// Keeps a write to a disconnected client from raising SIGPIPE.
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
    // A process started by a test must not keep a port.
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

// In the scope of `Loopback`, the plain names would refer to its own functions.
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t)
  -> Int32
{
  connect(descriptor, address, size)
}
