import Codecs
import Essentials

/// A client's statements about itself in its lifecycle records, with ids shortened to what tells two of them apart.
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
  }

  private let debug: Debug

  /// - Parameter json: The debug information as it was recorded; what cannot be read says nothing.
  init(_ json: String) {
    debug = (try? JSONDecoder().decode(Debug.self, from: Data(json.utf8))) ?? Debug()
  }

  var host: String? { debug.ingestionHost }
  var memoryLimit: Int? { debug.maxQueueEvents.flatMap { $0 > 0 ? $0 : nil } }
  var diskLimit: Int? { debug.maxDiskEvents.flatMap { $0 >= 0 ? $0 : nil } }

  /// `user jo***, group 42***, device 7f3a***`.
  var identity: [TimelineFormatter.Fact] {
    [
      ("user", debug.userId), ("group", debug.groupId), ("anonymous", debug.anonymousId),
      ("advertising", debug.advertisingId),
    ].compactMap { name, id in id.map { TimelineFormatter.Fact(name: name, value: Self.masked($0)) } }
  }

  /// The app's choices.
  var options: [TimelineFormatter.Fact] {
    var facts: [TimelineFormatter.Fact] = []
    func add(_ name: String, _ value: String?) {
      if let value { facts.append(TimelineFormatter.Fact(name: name, value: value)) }
    }
    // The usual scheme says nothing.
    add("host", host.map { $0.hasPrefix("https://") ? String($0.dropFirst(8)) : $0 })
    add("write key", debug.writeKey)
    add("flush", debug.flushIntervalSeconds.map { "every \(DurationFormat.text(Double($0)))" })
    if debug.tracing == true { add("tracing", "on") }
    add("left out", debug.leftOutValues.map { "\(EngineFormatter.count($0, "value")) that are no JSON" })
    return facts
  }

  var facts: [TimelineFormatter.Fact] { options + identity }

  /// The first characters of an id: enough to tell two apart.
  private static func masked(_ id: String) -> String {
    id.count <= 4 ? "***" : String(id.prefix(id.count >= 12 ? 4 : 2)) + "***"
  }
}
