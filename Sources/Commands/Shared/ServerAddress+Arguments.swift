import ClickHouse
import Platform

extension ServerAddress {
  /// An address on the command line.
  ///
  /// - Parameter name: The option or operand that the error names; the address may have a password.
  init(_ text: String, for name: String) throws(UsageError) {
    do throws(Refusal) { try self.init(text) } catch {
      throw .invalidAddress(for: name, reason: error.text)
    }
  }

  /// True for an operand that is meant as an address, not as the name of a file.
  static func isMeant(by operand: String) -> Bool {
    operand.hasPrefix("clickhouse://") || operand.hasPrefix("clickhouses://")
  }

  #if os(Linux)
    /// A connection to the server with the credentials of the environment.
    func link(
      _ environment: ProcessEnvironment, authorities: String?, stop: WakeSignal
    ) throws(ServerFailure) -> HTTPServerLink {
      try HTTPServerLink(self, environment: environment.variables, authorities: authorities, stop: stop)
    }
  #endif
}
