public import Essentials

/// The calls that an app can make to a client, for its own code and for test doubles.
///
/// No call waits for the network or the disk, and none throws. All can be made from any thread; calls from one thread
/// keep their order. Only JSON values are sent: values of other types are left out and counted.
public protocol AnalyticsInterface: AnyObject, Sendable {
  /// Records a user's action.
  func track(_ event: String, properties: [String: Any]?)
  /// Records a user's action, with typed values.
  func track(_ event: String, properties: [String: PropertyValue]?)
  /// Records a user's action.
  func track(_ event: String)

  /// Identifies the user; later events carry the id.
  func identify(_ userId: String, traits: [String: Any]?)
  /// Identifies the user, with typed values.
  func identify(_ userId: String, traits: [String: PropertyValue]?)
  /// Identifies the user; later events carry the id.
  func identify(_ userId: String)

  /// Sets the user's group; later events carry the id.
  func group(_ groupId: String, traits: [String: Any]?)
  /// Sets the user's group, with typed values.
  func group(_ groupId: String, traits: [String: PropertyValue]?)
  /// Sets the user's group; later events carry the id.
  func group(_ groupId: String)

  /// Records a screen view.
  func screen(_ name: String, properties: [String: Any]?)
  /// Records a screen view, with typed values.
  func screen(_ name: String, properties: [String: PropertyValue]?)
  /// Records a screen view.
  func screen(_ name: String)

  /// Records a page view.
  func page(_ name: String, properties: [String: Any]?)
  /// Records a page view, with typed values.
  func page(_ name: String, properties: [String: PropertyValue]?)
  /// Records a page view.
  func page(_ name: String)

  /// Links the anonymous user to a known one; later events carry the id.
  func alias(_ newUserId: String)

  /// Enables debug log lines.
  func enableDebugLogging()
  /// The anonymous id, never empty; waits until there is one.
  func getAnonymousId() async -> String
  /// The state of the client, with the write key masked.
  func getDebugInfo() async -> [String: PropertyValue]
  /// Sends waiting events as far as allowed now.
  func flush()
  /// Forgets the user and drops all events; the next event is sent under a new anonymous id.
  func reset()
  /// Sets the advertising id, which must be a UUID; `nil` does not clear it.
  func setAdvertisingId(_ advertisingId: String?)
  /// Clears the advertising id.
  func clearAdvertisingId()
  /// Adds the header `Trace: true` to all requests, or removes it.
  func setTracing(_ enabled: Bool)
  /// Attaches a URL and its sender to the next `Application Opened` event.
  func recordOpenedURL(_ url: URL, sourceApplication: String?)
}

extension AnalyticsInterface {
  /// Records a user's action, with typed values.
  public func track(_ event: String, properties: [String: PropertyValue]?) {
    track(event, properties: properties as [String: Any]?)
  }

  /// Identifies the user, with typed values.
  public func identify(_ userId: String, traits: [String: PropertyValue]?) {
    identify(userId, traits: traits as [String: Any]?)
  }

  /// Sets the user's group, with typed values.
  public func group(_ groupId: String, traits: [String: PropertyValue]?) {
    group(groupId, traits: traits as [String: Any]?)
  }

  /// Records a screen view, with typed values.
  public func screen(_ name: String, properties: [String: PropertyValue]?) {
    screen(name, properties: properties as [String: Any]?)
  }

  /// Records a page view, with typed values.
  public func page(_ name: String, properties: [String: PropertyValue]?) {
    page(name, properties: properties as [String: Any]?)
  }

  /// Attaches a URL to the next `Application Opened` event.
  public func recordOpenedURL(_ url: URL) { recordOpenedURL(url, sourceApplication: nil) }
}
