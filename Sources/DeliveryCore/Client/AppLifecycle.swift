/// The lifecycle events of an app and their order.
///
/// | at ready | sent, in order |
/// |---|---|
/// | no stored version, no identity before this start | Application Installed, Opened |
/// | no stored version, identity present | Application Updated with previous values "unknown", Opened |
/// | stored version or build differs | Application Updated with the previous values, Opened |
/// | same | Opened |
/// | in the background | as above without Opened, which follows at the first foreground entry |
package struct AppLifecycle: Sendable {
  /// A version and its build.
  package struct Version: Sendable, Hashable {
    package let version: String
    package let build: String

    package init(version: String, build: String) {
      self.version = version
      self.build = build
    }
  }

  package let isTracking: Bool
  let current: Version
  private var hasBegun = false
  private var owesColdOpening = false
  private var wasInBackground = false
  private var openedURL: (url: String, source: String?)?

  package init(isTracking: Bool, current: Version) {
    self.isTracking = isTracking
    self.current = current
  }

  /// Sends the cold-start sequence once, when the client becomes ready.
  ///
  /// - Returns: The events; the first one reports the version if it has changed.
  package mutating func begin(stored: Version?, hadIdentity: Bool, inForeground: Bool) -> [EventDraft] {
    guard isTracking, !hasBegun else { return [] }
    hasBegun = true
    owesColdOpening = !inForeground
    wasInBackground = !inForeground
    let change = changeOfVersion(stored: stored, hadIdentity: hadIdentity).map { [$0] } ?? []
    return change + (inForeground ? [opened(fromBackground: false)] : [])
  }

  private func changeOfVersion(stored: Version?, hadIdentity: Bool) -> EventDraft? {
    guard stored != current else { return nil }
    var properties = versionProperties
    guard stored != nil || hadIdentity else {
      return .track("Application Installed", properties: properties)
    }
    properties["previous_version"] = .text(stored?.version ?? "unknown")
    properties["previous_build"] = .text(stored?.build ?? "unknown")
    return .track("Application Updated", properties: properties)
  }

  /// Handles the entry into the foreground.
  package mutating func enteredForeground() -> [EventDraft] {
    // A signal before the cold-start sequence adds nothing to it.
    guard isTracking, hasBegun, wasInBackground else { return [] }
    wasInBackground = false
    defer { owesColdOpening = false }
    return [opened(fromBackground: !owesColdOpening)]
  }

  /// Handles the entry into the background.
  package mutating func enteredBackground() -> [EventDraft] {
    guard isTracking, hasBegun, !wasInBackground else { return [] }
    wasInBackground = true
    return [.track("Application Backgrounded", properties: nil)]
  }

  /// Attaches the URL to the next opening; a later URL replaces it.
  ///
  /// - Returns: False if no opening is ever sent.
  package mutating func recordOpenedURL(_ url: String, source: String?) -> Bool {
    guard isTracking else { return false }
    openedURL = (url, source)
    return true
  }

  private var versionProperties: [String: PropertyValue] {
    ["version": .text(current.version), "build": .text(current.build)]
  }

  private mutating func opened(fromBackground: Bool) -> EventDraft {
    var properties = versionProperties
    properties["from_background"] = .bool(fromBackground)
    if let opened = openedURL {
      properties["url"] = .text(opened.url)
      properties["referring_application"] = opened.source.map { .text($0) }
      openedURL = nil
    }
    return .track("Application Opened", properties: properties)
  }
}
