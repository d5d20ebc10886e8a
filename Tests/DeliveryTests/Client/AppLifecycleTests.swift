import DeliveryCore
import Foundation
import Testing

@Suite("Lifecycle events of an app")
struct AppLifecycleTests {
  private func rig(
    _ values: [String: String] = [:], isForeground: Bool = true, tracks: Bool = true
  ) -> CoreRig {
    CoreRig(values: InMemoryKeyValues(values), isForeground: isForeground, options: options(tracks))
  }

  private func options(_ tracks: Bool) -> InitOptions {
    InitOptions(writeKey: "k-123456", ingestionHost: "https://in.example.com", trackLifecycleEvents: tracks)
  }

  /// All events so far, as name and properties.
  private func sent(_ rig: CoreRig) throws -> [String] {
    rig.deliverAll()
    return try rig.allEvents().map { event in
      let properties = (event["properties"] as? [String: Any] ?? [:]).map { key, value in
        let isFlag = key == "from_background"
        return "\(key)=\(isFlag ? String(describing: (value as? NSNumber)?.boolValue ?? false) : "\(value)")"
      }
      return ([event["event"] as? String ?? "?"] + properties.sorted()).joined(separator: " ")
    }
  }

  private let installed = "Application Installed build=77 version=2.1"
  private let opened = "Application Opened build=77 from_background=false version=2.1"
  private let openedAgain = "Application Opened build=77 from_background=true version=2.1"

  @Test("B-114: Fresh install: Installed, then Opened with from_background false")
  func fresh() throws {
    let rig = rig()
    #expect(try sent(rig) == [installed, opened])
    #expect(rig.values.value("metarouter:app_version") == "2.1")
    #expect(rig.values.value("metarouter:app_build") == "77")
  }

  @Test("B-115: Identity present but no stored version: Updated with previous values unknown, then Opened")
  func identityAlone() throws {
    let rig = rig(["metarouter:anonymous_id": "anon"])
    #expect(
      try sent(rig) == [
        "Application Updated build=77 previous_build=unknown previous_version=unknown version=2.1", opened,
      ])
  }

  @Test("B-116: Same version and build: only Opened")
  func same() throws {
    let rig = rig(["metarouter:app_version": "2.1", "metarouter:app_build": "77"])
    #expect(try sent(rig) == [opened])
  }

  @Test(
    "B-117: Other version: Updated with the previous version and build",
    arguments: [("2.0", "77"), ("2.1", "76")])
  func other(_ version: String, _ build: String) throws {
    let rig = rig(["metarouter:app_version": version, "metarouter:app_build": build])
    #expect(
      try sent(rig) == [
        "Application Updated build=77 previous_build=\(build) previous_version=\(version) version=2.1",
        opened,
      ])
  }

  @Test("The version is stored when the event that tells of it is delivered or on disk, not before")
  func durable() throws {
    let rig = rig()
    #expect(rig.values.value("metarouter:app_version") == nil)
    rig.flush()
    rig.answer(500)
    #expect(rig.values.value("metarouter:app_version") == nil)
    rig.handle(.enterBackground(nil))
    #expect(rig.disk.count > 0 || rig.core.machine.inFlight != nil)
    if rig.core.machine.inFlight != nil { rig.answer(500) }
    #expect(rig.values.value("metarouter:app_version") == "2.1")
  }

  @Test("B-118: Backgrounded has no properties and is queued before the background flush")
  func backgrounded() throws {
    let rig = rig(["metarouter:app_version": "2.1", "metarouter:app_build": "77"])
    rig.handle(.enterBackground(nil))
    let first = try #require(rig.requests.first)
    let events = try CoreRig.events(in: first.request.body)
    #expect(events.map { $0["event"] as? String } == ["Application Opened", "Application Backgrounded"])
    #expect(try #require(events.last)["properties"] == nil)
  }

  @Test("B-119: Background to active sends Opened with from_background true, once per round trip")
  func roundTrips() throws {
    let rig = rig(["metarouter:app_version": "2.1", "metarouter:app_build": "77"])
    rig.handle(.enterForeground)
    for _ in 0..<2 {
      rig.handle(.enterBackground(nil))
      rig.handle(.enterBackground(nil))
      rig.handle(.enterForeground)
      rig.handle(.enterForeground)
    }
    #expect(
      try sent(rig) == [
        opened, "Application Backgrounded", openedAgain, "Application Backgrounded", openedAgain,
      ])
  }

  @Test("B-120: A recorded URL and its source are attached to the next Opened")
  func url() throws {
    let rig = rig(["metarouter:app_version": "2.1", "metarouter:app_build": "77"])
    rig.handle(.enterBackground(nil))
    rig.handle(.recordOpenedURL("notes://first", source: "com.a"))
    rig.handle(.recordOpenedURL("notes://second", source: "com.b"))
    rig.handle(.enterForeground)
    #expect(
      try sent(rig).last
        == "Application Opened build=77 from_background=true referring_application=com.b url=notes://second version=2.1"
    )
  }

  @Test("B-121: A recorded URL is used once only")
  func urlOnce() throws {
    let rig = rig(["metarouter:app_version": "2.1", "metarouter:app_build": "77"])
    rig.handle(.recordOpenedURL("notes://x", source: nil))
    for _ in 0..<2 {
      rig.handle(.enterBackground(nil))
      rig.handle(.enterForeground)
    }
    #expect(try sent(rig).filter { $0.contains("url=") }.count == 1)
  }

  @Test("B-122: Without a source the referring application is left out")
  func noSource() throws {
    let rig = rig(["metarouter:app_version": "2.1", "metarouter:app_build": "77"])
    rig.handle(.enterBackground(nil))
    rig.handle(.recordOpenedURL("notes://x", source: nil))
    rig.handle(.enterForeground)
    #expect(
      try sent(rig).last == "Application Opened build=77 from_background=true url=notes://x version=2.1")
  }

  @Test(
    "B-123: With tracking off no lifecycle event appears and ordinary events still work; recording a URL only warns"
  )
  func off() throws {
    let rig = rig(tracks: false)
    rig.handle(.recordOpenedURL("notes://x", source: nil))
    rig.handle(.enterBackground(nil))
    rig.handle(.enterForeground)
    rig.track("Mine")
    #expect(try sent(rig) == ["Mine"])
    #expect(rig.lines.contains { $0.level == .warning && $0.text.contains("trackLifecycleEvents") })
  }

  @Test("B-124: Running the cold sequence twice sends nothing the second time")
  func coldTwice() {
    var lifecycle = AppLifecycle(isTracking: true, current: .init(version: "1", build: "1"))
    #expect(lifecycle.begin(stored: nil, hadIdentity: false, inForeground: true).count == 2)
    #expect(lifecycle.begin(stored: nil, hadIdentity: false, inForeground: true).isEmpty)
  }

  @Test("In the background Opened is withheld until the first foreground entry, and is still a cold one")
  func withheld() throws {
    let rig = rig(isForeground: false)
    #expect(try sent(rig) == [installed])
    rig.handle(.enterForeground)
    #expect(try sent(rig) == [installed, opened])
    rig.handle(.enterBackground(nil))
    rig.handle(.enterForeground)
    #expect(try sent(rig).last == openedAgain)
  }

  @Test("A foreground signal before the cold sequence adds nothing")
  func early() {
    var lifecycle = AppLifecycle(isTracking: true, current: .init(version: "1", build: "1"))
    #expect(lifecycle.enteredForeground().isEmpty)
    #expect(lifecycle.enteredBackground().isEmpty)
  }

  @Test("A URL that was recorded before initialization is part of the first Opened")
  func urlBefore() throws {
    let rig = CoreRig(begins: false, options: options(true))
    rig.handle(.recordOpenedURL("notes://x", source: nil))
    rig.begin()
    #expect(try sent(rig).last?.contains("url=notes://x") == true)
  }
}
