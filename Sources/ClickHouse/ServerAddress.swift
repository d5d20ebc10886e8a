import Essentials

/// The address of a database: `clickhouse[s]://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME]`.
package struct ServerAddress: Hashable, Sendable {
  /// The reason that a text is not an address.
  package enum Refusal: Error, Hashable, Sendable {
    case notAnAddress
    /// Addresses end up in shell histories and process lists.
    case hasPassword
    case noDatabase
    case badName(String)
    case unknownParameter(String)

    package var text: String {
      switch self {
      case .notAnAddress: "it is not clickhouse[s]://[USER@]HOST[:PORT]/DATABASE"
      case .hasPassword:
        "it has a password, which others can read: use $CLICKHOUSE_PASSWORD or ~/.netrc"
      case .noDatabase: "it names no database: clickhouse[s]://[USER@]HOST[:PORT]/DATABASE"
      case .badName(let name): "the name '\(name)' has other characters than letters, digits and underscores"
      case .unknownParameter(let name): "the parameter '\(name)' is unknown; there is only cluster"
      }
    }
  }

  /// The host and the port.
  package let server: String
  package let user: String?
  package let database: String
  /// The cluster of the tables; `nil` for a single server.
  package let cluster: String?
  private var http = URLComponents()

  package init(_ text: String) throws(Refusal) {
    guard let parts = URLComponents(string: text), ["clickhouse", "clickhouses"].contains(parts.scheme),
      let host = parts.host, !host.isEmpty, parts.fragment == nil, (1...65_535).contains(parts.port ?? 1)
    else { throw .notAnAddress }
    guard parts.password == nil else { throw .hasPassword }
    let isEncrypted = parts.scheme == "clickhouses"
    user = parts.user
    let path = parts.path.split(separator: "/").map(String.init)
    guard let database = path.first else { throw .noDatabase }
    guard path.count == 1 else { throw .notAnAddress }
    self.database = try Self.name(database)
    cluster = try Self.cluster(parts.queryItems ?? [])
    (http.scheme, http.host, http.path) = (isEncrypted ? "https" : "http", host, "/")
    http.port = parts.port ?? (isEncrypted ? 8443 : 8123)
    guard let url = http.string else { throw .notAnAddress }
    server = String(url.drop { $0 != "/" }.dropFirst(2).dropLast())
  }

  /// The address of the HTTP interface, which ends with a slash.
  func url(user: String?) -> String {
    var http = http
    http.user = user
    return http.string ?? ""
  }

  private static func cluster(_ items: [URLQueryItem]) throws(Refusal) -> String? {
    var cluster: String?
    for item in items {
      guard item.name == "cluster" else { throw .unknownParameter(item.name) }
      cluster = try name(item.value ?? "")
    }
    return cluster
  }

  /// Checks a name that is written into statements as it is.
  private static func name(_ text: String) throws(Refusal) -> String {
    let isName = text.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }
    guard isName, let first = text.utf8.first, first > 0x39, text.utf8.count <= 64 else {
      throw .badName(text)
    }
    return text
  }
}
