import DeliveryCore
import Foundation
import Platform
import TestSupport
import Testing

@Suite("Context of events")
struct EventContextTests {
  /// A source that a test changes, and that counts how often it is asked.
  private final class Source: ContextSource {
    private let state = Locked((context: EventContext(), generation: 0, reads: 0))

    func context() -> EventContext {
      state.withLock { state in
        state.reads += 1
        return state.context
      }
    }

    var generation: Int { state.withLock { $0.generation } }
    var reads: Int { state.withLock { $0.reads } }

    func change(_ change: (inout EventContext) -> Void) {
      state.withLock { state in
        change(&state.context)
        state.generation += 1
      }
    }
  }

  @Test("What is unknown is said so, and what is absent is left out")
  func fallbacks() {
    #expect(
      Self.text(EventContext())
        == #"{"app":{"build":"unknown","name":"unknown","namespace":"unknown","version":"unknown"},"#
        + #""device":{"manufacturer":"unknown","model":"unknown","type":"unknown"},"#
        + #""library":{"name":"mistertop","version":"0.1.0"},"locale":"en-US","#
        + #""os":{"name":"unknown","version":"unknown"},"#
        + #""screen":{"density":1.0,"height":0,"width":0},"timezone":"UTC"}"#)
  }

  @Test("What is known is there, the density with two decimals")
  func everything() {
    var context = EventContext()
    (context.app.name, context.app.version, context.app.build) = ("Näme", "1.2", "34")
    context.app.namespace = "com.example.app"
    (context.device.manufacturer, context.device.model, context.device.type) = (
      "Apple", "iPhone16,1", "phone"
    )
    context.device.advertisingID = "910A2DEC-8902-4CC1-BEEB-8DA1658EEC67"
    (context.os.name, context.os.version) = ("iOS", "18.1.0")
    (context.screen.width, context.screen.height, context.screen.density) = (1179, 2556, 2.666_666)
    (context.isWifi, context.locale, context.timeZone) = (true, "de-DE", "Europe/Berlin")
    #expect(
      Self.text(context)
        == #"{"app":{"build":"34","name":"Näme","namespace":"com.example.app","version":"1.2"},"#
        + #""device":{"advertisingId":"910A2DEC-8902-4CC1-BEEB-8DA1658EEC67","manufacturer":"Apple","#
        + #""model":"iPhone16,1","type":"phone"},"library":{"name":"mistertop","version":"0.1.0"},"#
        + #""locale":"de-DE","network":{"wifi":true},"os":{"name":"iOS","version":"18.1.0"},"#
        + #""screen":{"density":2.67,"height":2556,"width":1179},"timezone":"Europe/Berlin"}"#)
  }

  @Test("B-20: context is cached and rebuilt after the cache is cleared; parallel reads agree")
  func caching() async {
    let source = Source()
    var cache = ContextCache(source)
    let first = cache.json(advertisingID: nil)
    #expect(cache.json(advertisingID: nil) == first)
    #expect(source.reads == 1)
    cache.clear()
    #expect(cache.json(advertisingID: nil) == first)
    #expect(source.reads == 2)

    let shared = Locked(cache)
    let texts = await withTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<20 { group.addTask { shared.withLock { $0.json(advertisingID: nil) } } }
      return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(texts == [first])
    #expect(source.reads == 2)
  }

  @Test("A change of locale, time zone or network is in the next context")
  func changes() {
    let source = Source()
    var cache = ContextCache(source)
    #expect(!Self.text(cache).contains("wifi"))
    source.change { $0.isWifi = false }
    #expect(Self.text(cache).contains(#""network":{"wifi":false}"#))
    _ = cache.json(advertisingID: nil)
    source.change { $0.locale = "fr-FR" }
    #expect(String(decoding: cache.json(advertisingID: nil), as: UTF8.self).contains(#""locale":"fr-FR""#))
  }

  @Test(
    "B-21: the advertising id shows in every event type once set and is gone after clearing",
    arguments: EventDraft.Kind.allCases)
  func advertisingID(kind: EventDraft.Kind) throws {
    var cache = ContextCache(Source())
    let id = "910A2DEC-8902-4CC1-BEEB-8DA1658EEC67"
    let draft = try #require(EventWriterTests.drafts.first { $0.kind == kind })
    for advertisingID in [nil, id, nil, id, nil] {
      let event = EventWriter(writeKey: "key").write(
        draft, identity: EventWriterTests.identity, context: cache.json(advertisingID: advertisingID),
        messageID: "", timestamp: EventWriterTests.date)
      let object = try JSONSerialization.jsonObject(with: Data(event.json)) as? [String: Any]
      let device = try #require((object?["context"] as? [String: Any])?["device"] as? [String: String])
      #expect(device["advertisingId"] == advertisingID)
      #expect(device["model"] == "unknown")
    }
  }

  @Test("The system's context has its name, its locale and a time zone")
  func system() {
    let source = SystemContext(environment: ["LANG": "pt_BR.UTF-8"])
    let context = source.context()
    #expect(!context.os.name.isBlank && !context.os.version.isBlank && !context.app.name.isBlank)
    #expect(context.device.advertisingID == nil)
    #expect(TimeZone(identifier: context.timeZone) != nil)
    #expect(!context.locale.contains("_"))
    #if os(Linux)
      #expect(context.os.name == "Linux")
      #expect(context.locale == "pt-BR")
      #expect(SystemContext(environment: [:]).context().locale == "en-US")
      #expect(
        SystemContext(environment: ["LC_ALL": "", "LC_MESSAGES": "nl_NL", "LANG": "C"]).context().locale
          == "nl-NL")
    #endif
    var app = EventContext.App()
    app.name = "Shop"
    #expect(SystemContext(app: app).context().app == app)
  }

  @Test("The system's generation changes with the network alone, where nothing else does")
  func generation() {
    let source = SystemContext()
    let first = source.generation
    #expect(source.generation == first)
    source.setWifi(true)
    let second = source.generation
    #expect(second != first)
    source.setWifi(true)
    #expect(source.generation == second)
    #expect(source.context().isWifi == true)
    source.setWifi(nil)
    #expect(source.generation != second)
    #expect(source.context().isWifi == nil)
  }

  @Test(
    "Names of locales have a hyphen",
    arguments: [
      ("de_DE", "de-DE"), ("de_DE.UTF-8", "de-DE"), ("sr_RS@latin", "sr-RS"), ("zh-Hant_TW", "zh-Hant-TW"),
      ("en", "en"), ("C", "en-US"), ("C.UTF-8", "en-US"), ("POSIX", "en-US"), ("", "en-US"),
      (".UTF-8", "en-US"),
    ])
  func localeName(name: String, expected: String) {
    #expect(SystemContext.localeName(name) == expected)
  }

  private static func text(_ context: EventContext) -> String {
    var bytes: [UInt8] = []
    PropertyWriter.append(context.value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func text(_ cache: ContextCache) -> String {
    var cache = cache
    return String(decoding: cache.json(advertisingID: nil), as: UTF8.self)
  }
}
