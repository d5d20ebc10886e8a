import Foundation
import Sync

/// The server of this example: it lives in the same process and speaks JSON, as others do over HTTP.
///
/// With `NOTES_SERVER` in the environment it has trouble from its second request on: a status such as `429`, `login` for a
/// page in place of JSON, `silent` for no answer.
actor NotesServer {
  struct Note: Codable {
    var id: String
    var members: [String: SyncValue]
  }

  private var notes: [String: Note] = [:]
  private var keys: Set<String> = []
  private var feed: [RemoteChange] = []
  private var requests = 0

  /// Answers a request with a status and a body.
  func answer(_ method: String, _ path: String, key: String = "", body: Data = Data()) async -> (
    status: Int, body: Data
  ) {
    requests += 1
    if requests > 1, let trouble = ProcessInfo.processInfo.environment["NOTES_SERVER"] {
      if let status = Int(trouble) { return (status, Data("try again later".utf8)) }
      if trouble == "silent" { try? await Task.sleep(for: .seconds(86_400)) }
      return (200, Data("<html>Welcome to Free Wi-Fi</html>".utf8))
    }
    switch (method, path.split(separator: "/").map(String.init)) {
    case ("GET", ["notes"]): return encoded(notes.values.sorted { $0.id < $1.id })
    case ("GET", ["cursor"]): return encoded(feed.count)
    case ("GET", let parts) where parts.count == 2 && parts[0] == "changes":
      return encoded(Array(feed.dropFirst(Int(parts[1]) ?? 0)))
    case ("POST", ["notes"]):
      guard let note = try? JSONDecoder().decode(Note.self, from: body) else {
        return (400, Data("no note".utf8))
      }
      // A key that was seen before is a retry of what was done already.
      guard keys.insert(key).inserted else { return (201, Data()) }
      notes[note.id] = note
      feed.append(
        RemoteChange(entity: EntityKey(kind: "note", id: note.id), operation: .create, members: note.members))
      return (201, Data())
    case ("DELETE", let parts) where parts.count == 2:
      return (notes.removeValue(forKey: parts[1]) == nil ? 404 : 204, Data())
    default: return (405, Data())
    }
  }

  private func encoded(_ value: some Encodable) -> (status: Int, body: Data) {
    (try? JSONEncoder().encode(value)).map { (200, $0) } ?? (500, Data())
  }
}
