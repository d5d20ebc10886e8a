package import Essentials

extension AnalyticsProxy: AnalyticsInterface {
  private func accept(_ draft: EventDraft, leftOut: Int = 0) {
    accept(.event(draft, leftOut: leftOut, at: moment))
  }

  package func track(_ event: String, properties: [String: Any]?) {
    let (values, leftOut) = Self.values(properties)
    accept(.track(event, properties: values), leftOut: leftOut)
  }

  package func track(_ event: String, properties: [String: PropertyValue]?) {
    accept(.track(event, properties: properties))
  }

  package func track(_ event: String) { accept(.track(event, properties: nil)) }

  package func identify(_ userId: String, traits: [String: Any]?) {
    let (values, leftOut) = Self.values(traits)
    accept(.identify(userId, traits: values), leftOut: leftOut)
  }

  package func identify(_ userId: String, traits: [String: PropertyValue]?) {
    accept(.identify(userId, traits: traits))
  }

  package func identify(_ userId: String) { accept(.identify(userId, traits: nil)) }

  package func group(_ groupId: String, traits: [String: Any]?) {
    let (values, leftOut) = Self.values(traits)
    accept(.group(groupId, traits: values), leftOut: leftOut)
  }

  package func group(_ groupId: String, traits: [String: PropertyValue]?) {
    accept(.group(groupId, traits: traits))
  }

  package func group(_ groupId: String) { accept(.group(groupId, traits: nil)) }

  package func screen(_ name: String, properties: [String: Any]?) {
    let (values, leftOut) = Self.values(properties)
    accept(.screen(name, properties: values), leftOut: leftOut)
  }

  package func screen(_ name: String, properties: [String: PropertyValue]?) {
    accept(.screen(name, properties: properties))
  }

  package func screen(_ name: String) { accept(.screen(name, properties: nil)) }

  package func page(_ name: String, properties: [String: Any]?) {
    let (values, leftOut) = Self.values(properties)
    accept(.page(name, properties: values), leftOut: leftOut)
  }

  package func page(_ name: String, properties: [String: PropertyValue]?) {
    accept(.page(name, properties: properties))
  }

  package func page(_ name: String) { accept(.page(name, properties: nil)) }

  package func alias(_ newUserId: String) { accept(.alias(newUserId, previous: nil)) }

  package func enableDebugLogging() { accept(.enableDebugLogging) }

  package func getAnonymousId() async -> String {
    await withCheckedContinuation { continuation in
      accept(.anonymousID(Waiter { continuation.resume(returning: $0) }))
    }
  }

  package func getDebugInfo() async -> [String: PropertyValue] {
    // A client that is not ready has no information yet.
    guard isReady else { return debugInfo() }
    return await withCheckedContinuation { continuation in
      accept(.debugInfo(Waiter { continuation.resume(returning: $0) }))
    }
  }

  package func flush() { accept(.flush(nil)) }

  package func reset() { reset(nil) }

  package func setAdvertisingId(_ advertisingId: String?) { accept(.setAdvertisingID(advertisingId)) }

  package func clearAdvertisingId() { accept(.setAdvertisingID(nil)) }

  package func setTracing(_ enabled: Bool) { accept(.setTracing(enabled)) }

  package func recordOpenedURL(_ url: URL, sourceApplication: String?) {
    accept(.recordOpenedURL(url.absoluteString, source: sourceApplication))
  }

  /// Makes a call and waits for its end.
  package func wait(for call: (Waiter<Void>) -> Call) async {
    await withCheckedContinuation { continuation in
      accept(call(Waiter { continuation.resume() }))
    }
  }

  private static func values(_ properties: [String: Any]?) -> ([String: PropertyValue]?, Int) {
    guard let properties else { return (nil, 0) }
    let converted = PropertyConversion.convert(properties)
    return (converted.values, converted.leftOut)
  }
}
