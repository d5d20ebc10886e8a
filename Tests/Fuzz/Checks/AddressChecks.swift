@testable import ClickHouse

/// Checks of addresses of databases.
enum AddressChecks {
  /// An accepted address makes a URL of a server and a name that can stand in a statement, without the user.
  static func address(_ input: UnsafeRawBufferPointer) -> String? {
    guard let text = String(validating: input, as: UTF8.self), let address = try? ServerAddress(text) else {
      return nil
    }
    let isName = { (name: String) in
      name.utf8.count <= 64 && name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/.asciiOnlyWordCharacters()) != nil
    }
    guard isName(address.database), address.cluster.map(isName) ?? true else {
      return "\(address.database) is not a name"
    }
    let parts = address.url(user: nil).wholeMatch(of: /https?:\/\/([^\/@?#\s]+):([0-9]{1,5})\//)
    guard let parts, !parts.1.isEmpty else { return "\(address.url(user: nil)) is not the URL of a server" }
    return nil
  }
}
