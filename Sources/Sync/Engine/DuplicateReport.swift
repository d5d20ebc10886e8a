import Codecs
import Essentials

/// How servers say that they have something already.
package enum DuplicateReport {
  /// Names of codes, and SQLSTATE 23505.
  private static let codes: Set<String> = [
    "duplicate", "duplicate_key", "duplicate_entry", "already_exists", "unique_violation", "23505",
  ]

  /// The words of databases (PostgreSQL, SQLite, MySQL); a text has to have all of one row.
  private static let texts = [
    ["duplicate key value violates unique constraint"], ["sqlstate 23505"], ["sqlstate[23505]"],
    ["unique constraint failed: "], ["duplicate entry '", "' for key "],
  ]

  /// Where an answer in JSON names its code.
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

  /// True if a code says so.
  package static func isCode(_ text: String) -> Bool { codes.contains(text.lowercased()) }

  /// True if a text says so as a database words it.
  static func isDatabaseText(_ text: String) -> Bool {
    let text = text.lowercased()
    return texts.contains { $0.allSatisfy { text.contains($0) } }
  }

  /// True if an answer that is no success says so: by a code of its own, by one in its JSON, or in a database's words.
  static func isInBody(_ text: String) -> Bool {
    if isCode(text.trimmed) || isDatabaseText(text) { return true }
    guard let body = try? JSONDecoder().decode(Body.self, from: Data(text.utf8)) else { return false }
    return [body.code, body.type, body.error?.code, body.error?.type].contains { $0.map(isCode) ?? false }
  }
}
