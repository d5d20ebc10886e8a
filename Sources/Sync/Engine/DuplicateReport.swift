import Codecs
import Essentials

/// Servers' ways to report a duplicate.
package enum DuplicateReport {
  /// Error codes, and SQLSTATE 23505.
  private static let codes: Set<String> = [
    "duplicate", "duplicate_key", "duplicate_entry", "already_exists", "unique_violation", "23505",
  ]

  /// Database messages (PostgreSQL, SQLite, MySQL); a text must contain all fragments of one row.
  private static let texts = [
    ["duplicate key value violates unique constraint"], ["sqlstate 23505"], ["sqlstate[23505]"],
    ["unique constraint failed: "], ["duplicate entry '", "' for key "],
  ]

  /// A JSON answer's error code.
  private struct Body: Decodable {
    struct Inner: Decodable {
      let code: String?
      let type: String?
    }

    let code: String?
    let type: String?
    let error: Inner?

    private enum CodingKeys: String, CodingKey { case code, type, error }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      code = try? members.decode(String.self, forKey: .code)
      type = try? members.decode(String.self, forKey: .type)
      error = try? members.decode(Inner.self, forKey: .error)
    }
  }

  /// True if a code reports a duplicate.
  package static func isCode(_ text: String) -> Bool { codes.contains(text.lowercased()) }

  /// True if a text is a database's message about a duplicate.
  static func isDatabaseText(_ text: String) -> Bool {
    let text = text.lowercased()
    return texts.contains { $0.allSatisfy { text.contains($0) } }
  }

  /// True if an error body reports a duplicate: by a bare code, a code in its JSON, or a database message.
  static func isInBody(_ text: String) -> Bool {
    if isCode(text.trimmed) || isDatabaseText(text) { return true }
    guard let body = try? JSONDecoder().decode(Body.self, from: Data(text.utf8)) else { return false }
    return [body.code, body.type, body.error?.code, body.error?.type].contains { $0.map(isCode) ?? false }
  }
}
