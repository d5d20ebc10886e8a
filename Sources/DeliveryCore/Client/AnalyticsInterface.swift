public import Essentials

/// Calls that an app may make to a client, for its own code and for tests that put something else in its place.
///
/// No call waits for the network or the disk, none throws, and all may come from any thread; the order of calls of one
/// thread is the order of events. Only what can be said in JSON is sent: values of other types are left out and counted.
public protocol AnalyticsInterface: AnyObject, Sendable {
  /// Records what a user did.
  func track(_ event: String, properties: [String: Any]?)
  /// Records what a user did, in typed values.
  func track(_ event: String, properties: [String: PropertyValue]?)
  /// Records what a user did.
  func track(_ event: String)

  /// Says who the user is; later events carry the id.
  func identify(_ userId: String, traits: [String: Any]?)
  /// Says who the user is, in typed values.
  func identify(_ userId: String, traits: [String: PropertyValue]?)
  /// Says who the user is; later events carry the id.
  func identify(_ userId: String)

  /// Says which group the user belongs to; later events carry the id.
  func group(_ groupId: String, traits: [String: Any]?)
  /// Says which group the user belongs to, in typed values.
  func group(_ groupId: String, traits: [String: PropertyValue]?)
  /// Says which group the user belongs to; later events carry the id.
  func group(_ groupId: String)

  /// Records that a screen was shown.
  func screen(_ name: String, properties: [String: Any]?)
  /// Records that a screen was shown, in typed values.
  func screen(_ name: String, properties: [String: PropertyValue]?)
  /// Records that a screen was shown.
  func screen(_ name: String)

  /// Records that a page was shown.
  func page(_ name: String, properties: [String: Any]?)
  /// Records that a page was shown, in typed values.
  func page(_ name: String, properties: [String: PropertyValue]?)
  /// Records that a page was shown.
  func page(_ name: String)

  /// Connects the anonymous user with a known one; later events carry the id.
  func alias(_ newUserId: String)

  /// Logs debug lines from now on.
  func enableDebugLogging()
  /// The anonymous id; waits until there is one, and is never empty.
  func getAnonymousId() async -> String
  /// The state of the client, the write key masked.
  func getDebugInfo() async -> [String: PropertyValue]
  /// Sends what waits, as far as that is allowed now.
  func flush()
  /// Forgets the user, drops all events, and ends the client; initialize it again to go on.
  func reset()
  /// Sets the advertising id, which has to be a UUID; nothing clears it.
  func setAdvertisingId(_ advertisingId: String?)
  /// Clears the advertising id.
  func clearAdvertisingId()
  /// Adds the header `Trace: true` to all requests, or leaves it out again.
  func setTracing(_ enabled: Bool)
  /// Attaches a URL, and who sent it, to the next event `Application Opened`.
  func recordOpenedURL(_ url: URL, sourceApplication: String?)
}

extension AnalyticsInterface {
  /// Records what a user did, in typed values.
  public func track(_ event: String, properties: [String: PropertyValue]?) {
    track(event, properties: properties as [String: Any]?)
  }

  /// Says who the user is, in typed values.
  public func identify(_ userId: String, traits: [String: PropertyValue]?) {
    identify(userId, traits: traits as [String: Any]?)
  }

  /// Says which group the user belongs to, in typed values.
  public func group(_ groupId: String, traits: [String: PropertyValue]?) {
    group(groupId, traits: traits as [String: Any]?)
  }

  /// Records that a screen was shown, in typed values.
  public func screen(_ name: String, properties: [String: PropertyValue]?) {
    screen(name, properties: properties as [String: Any]?)
  }

  /// Records that a page was shown, in typed values.
  public func page(_ name: String, properties: [String: PropertyValue]?) {
    page(name, properties: properties as [String: Any]?)
  }

  /// Attaches a URL to the next event `Application Opened`.
  public func recordOpenedURL(_ url: URL) { recordOpenedURL(url, sourceApplication: nil) }
}
