import Codecs
import Essentials

/// Facts that a client reports about itself in its lifecycle records, with ids shortened but still distinguishable.
struct DebugFacts {
  private struct Debug: Decodable {
    var writeKey: String?
    var ingestionHost: String?
    var flushIntervalSeconds: Int?
    var maxQueueEvents: Int?
    var maxDiskEvents: Int?
    var anonymousId: String?
    var userId: String?
    var groupId: String?
    var advertisingId: String?
    var tracing: Bool?
    var leftOutValues: Int?
    var setAside: Int?
    var folderInUse: Bool?
  }

  private let debug: Debug

  /// - Parameter json: The debug information as recorded; invalid JSON yields no facts.
  init(_ json: String) {
    debug = (try? JSONDecoder().decode(Debug.self, from: Data(json.utf8))) ?? Debug()
  }

  var memoryLimit: Int? { debug.maxQueueEvents.flatMap { $0 > 0 ? $0 : nil } }
  /// Number of events that are set aside for the app.
  var setAside: Int? { debug.setAside }
  /// True if another client uses the folder.
  var isFolderInUse: Bool { debug.folderInUse == true }
  var diskLimit: Int? { debug.maxDiskEvents.flatMap { $0 >= 0 ? $0 : nil } }

  /// `user jo***, group 42***, anonymous 7f3a***`.
  private var identity: [EngineFact] {
    EngineFact.list([
      "user": debug.userId.map(Self.masked), "group": debug.groupId.map(Self.masked),
      "anonymous": debug.anonymousId.map(Self.masked), "advertising": debug.advertisingId.map(Self.masked),
    ])
  }

  /// The options set by the app.
  private var options: [EngineFact] {
    EngineFact.list([
      // The usual scheme is redundant.
      "host": debug.ingestionHost.map { $0.hasPrefix("https://") ? String($0.dropFirst(8)) : $0 },
      "write key": debug.writeKey,
      "flush": debug.flushIntervalSeconds.map { "every \(DurationFormat.text(Double($0)))" },
      "tracing": debug.tracing == true ? "on" : nil,
      "left out": debug.leftOutValues.map { "\(EngineFormatter.count($0, "value")) that are no JSON" },
    ])
  }

  var facts: [EngineFact] { options + identity }

  /// The first characters of an id: enough to distinguish two.
  private static func masked(_ id: String) -> String {
    id.count <= 4 ? "***" : String(id.prefix(id.count >= 12 ? 4 : 2)) + "***"
  }
}
