package import ClickHouse
import History
import Platform

/// A server on the command line.
package struct ServerOperand: Sendable, Equatable {
  package let address: ServerAddress
  /// The file with the trusted certificates; `nil` for the system's.
  package var authorities: String?

  package init(_ address: ServerAddress, authorities: String? = nil) {
    (self.address, self.authorities) = (address, authorities)
  }

  /// Of other schemes, so that the error names those that there are.
  private static let schemes = ["clickhouse://", "clickhouses://", "http://", "https://"]

  /// True for an operand that is meant as an address, not as the name of a file.
  static func isMeant(by operand: String) -> Bool { schemes.contains { operand.hasPrefix($0) } }

  #if os(Linux)
    /// A connection with the credentials of the environment.
    func link(_ environment: ProcessEnvironment, stop: WakeSignal) throws(ServerFailure) -> HTTPServerLink {
      try HTTPServerLink(address, environment: environment.variables, authorities: authorities, stop: stop)
    }
  #endif

  /// A reader with the credentials of the environment.
  func reader(
    _ variables: [String: String], _ interruption: ServerReader.Interruption
  ) throws(ServerProblem) -> ServerReader {
    #if os(Linux)
      try ServerReader(
        of: address, environment: variables, authorities: authorities, interruption: interruption)
    #else
      throw ServerProblem.unavailable(address)
    #endif
  }
}

extension ServerAddress {
  /// An address on the command line.
  ///
  /// - Parameter name: The option or operand that the error names; the address may have a password.
  init(_ text: String, for name: String) throws(UsageError) {
    do throws(Refusal) { try self.init(text) } catch {
      throw .invalidAddress(for: name, reason: error.text)
    }
  }
}

extension Arguments {
  /// The server that is read instead of files; `nil` for files.
  var server: ServerOperand? {
    get throws(UsageError) {
      let servers = try servers
      guard servers.isEmpty || operands.count == 1 else { throw .conflict("an address", "other operands") }
      return servers.first
    }
  }

  /// The servers among the operands.
  var servers: [ServerOperand] {
    get throws(UsageError) {
      let authorities = try fileName(.authorities)
      var servers: [ServerOperand] = []
      for text in operands where ServerOperand.isMeant(by: text) {
        servers.append(ServerOperand(try ServerAddress(text, for: "the server"), authorities: authorities))
      }
      return servers
    }
  }
}

extension LiveSeconds {
  /// - Parameters:
  ///   - host: The only host; `nil` for all.
  ///   - stop: Ends a question when raised.
  convenience init(
    of server: ServerOperand, host: String? = nil, _ variables: [String: String], stop: WakeSignal
  ) {
    self.init(of: server.address, host: host) { () throws(ServerProblem) in
      try server.reader(variables, ServerReader.Interruption(stop))
    }
  }
}

extension ClickHouseSource {
  /// - Parameter variables: The environment, with the user and the password.
  convenience init(
    of server: ServerOperand, _ variables: [String: String],
    interruption: ServerReader.Interruption = ServerReader.Interruption()
  ) {
    self.init(of: server.address, interruption: interruption) { interruption throws(ServerProblem) in
      try server.reader(variables, interruption)
    }
  }
}
