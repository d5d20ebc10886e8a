import ClickHouse
import History
import Platform

extension ServerAddress {
  private static let schemes = ["clickhouse://", "clickhouses://"]

  /// True for a text that is meant as an address.
  static func isMeant(by operand: String) -> Bool { schemes.contains { operand.hasPrefix($0) } }
}

extension Arguments {
  /// The server that is read instead of files; `nil` for files.
  var server: ServerAddress? {
    get throws(UsageError) {
      guard let text = operands.first(where: ServerAddress.isMeant) else { return nil }
      guard operands.count == 1 else { throw .conflict("an address", "other operands") }
      do throws(ServerAddress.Refusal) { return try ServerAddress(text) } catch {
        throw .invalidAddress(for: "the server", reason: error.text)
      }
    }
  }
}

extension LiveSeconds {
  /// - Parameter stop: Ends a question when raised.
  convenience init(at address: ServerAddress, _ variables: [String: String], stop: WakeSignal) {
    self.init(of: address) { () throws(ServerProblem) in
      #if os(Linux)
        try ServerReader(of: address, environment: variables, interruption: ServerReader.Interruption(stop))
      #else
        throw ServerProblem.unavailable(address)
      #endif
    }
  }
}

extension ClickHouseSource {
  /// The source behind an address.
  ///
  /// - Parameter variables: The environment, with the user and the password.
  convenience init(
    at address: ServerAddress, _ variables: [String: String],
    interruption: ServerReader.Interruption = ServerReader.Interruption()
  ) {
    self.init(of: address, interruption: interruption) { interruption throws(ServerProblem) in
      #if os(Linux)
        try ServerReader(of: address, environment: variables, interruption: interruption)
      #else
        throw ServerProblem.unavailable(address)
      #endif
    }
  }
}
