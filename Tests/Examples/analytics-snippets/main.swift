import Foundation
import MetaRouter

// Every way in which the documentation of the original client calls it, as a program of Swift 5 that runs. Nothing answers
// at the other end: what it shows is that the calls compile, and what the client says of itself.

let options = InitOptions(
  writeKey: "snippet-write-key",
  ingestionHost: "http://127.0.0.1:9",
  debug: false,
  flushIntervalSeconds: 30,
  maxQueueEvents: 2000
)

// Before initialization: calls wait.
MetaRouter.Analytics.shared.track("Waited")
MetaRouter.Analytics.shared.recordOpenedURL(URL(fileURLWithPath: "/tmp/note"), sourceApplication: nil)

let analytics = MetaRouter.Analytics.initialize(with: options)

analytics.track(
  "Song Played",
  properties: [
    "title": "Long Tall Sally",
    "seconds": 128,
    "started": Date().timeIntervalSince1970,
    "device": ["kind": "radio", "presets": [1, 2, 3]],
  ])
analytics.track("Song Ended")

analytics.identify(
  "listener-7",
  traits: [
    "name": "Ada",
    "plan": "premium",
  ])
analytics.identify("listener-7")

analytics.group("station-1", traits: ["city": "Liverpool"])
analytics.group("station-1")

analytics.screen("Now Playing", properties: ["theme": "dark"])
analytics.screen("Now Playing")

analytics.page("Charts", properties: ["url": "/charts", "referrer": "/"])
analytics.page("Charts")

analytics.alias("listener-8")

analytics.setAdvertisingId("6D92078A-8246-4BA4-AE5B-76104861E7DC")
analytics.setAdvertisingId(nil)
analytics.clearAdvertisingId()

analytics.enableDebugLogging()
analytics.setTracing(true)
analytics.track("Traced", properties: ["test": true])
analytics.setTracing(false)

analytics.flush()

/// A class that has its client injected, as the documentation suggests for tests.
class Player {
  private let analytics: AnalyticsInterface?

  init(analytics: AnalyticsInterface?) {
    self.analytics = analytics
  }

  func play(_ title: String, properties: [String: Any]? = nil) {
    analytics?.track(title, properties: properties)
    analytics?.screen("Player", properties: properties)
  }
}
Player(analytics: analytics).play("Injected", properties: ["volume": 0.5])

let waited = await MetaRouter.Analytics.initializeAndWait(with: options)
let anonymousId = await waited.getAnonymousId()
let debugInfo = await waited.getDebugInfo()
print("anonymous id:", UUID(uuidString: anonymousId) == nil ? "none" : "a UUID")
print("debug keys:", debugInfo.keys.sorted().joined(separator: " "))
print("write key:", debugInfo["writeKey"] == .text("***-key") ? "masked" : "shown")

analytics.reset()
await MetaRouter.Analytics.resetAndWait()
let after = await MetaRouter.Analytics.shared.getDebugInfo()
print("after reset:", after["proxy"] == .bool(true) ? "a proxy" : "a client")
