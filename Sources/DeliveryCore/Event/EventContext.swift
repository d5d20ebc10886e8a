import Platform

/// Where events come from: app, device, system, network and library.
package struct EventContext: Sendable, Hashable {
  /// Placeholder for a text that cannot be found out.
  package static let unknown = "unknown"

  package struct App: Sendable, Hashable {
    package var name = unknown
    package var version = unknown
    package var build = unknown
    /// The bundle identifier.
    package var namespace = unknown

    package init() {}
  }

  package struct Device: Sendable, Hashable {
    package var manufacturer = unknown
    /// The raw model of the hardware; never the name that the owner gave it.
    package var model = unknown
    package var type = unknown
    package var advertisingID: String?

    package init() {}
  }

  package struct System: Sendable, Hashable {
    package var name = unknown
    package var version = unknown

    package init() {}
  }

  package struct Screen: Sendable, Hashable {
    /// In physical pixels; 0 where there is no screen.
    package var width: Int64 = 0
    package var height: Int64 = 0
    /// Sent with two decimals at most.
    package var density = 1.0

    package init() {}
  }

  package struct Library: Sendable, Hashable {
    package var name = "mistertop"
    package var version = packageVersion

    package init() {}
  }

  package var app = App()
  package var device = Device()
  package var os = System()
  package var screen = Screen()
  /// True if the network is a Wi-Fi; absent where nothing is known of it.
  package var isWifi: Bool?
  package var library = Library()
  /// Language and region with a hyphen.
  package var locale = "en-US"
  /// A name of the IANA.
  package var timeZone = "UTC"

  package init() {}

  /// As it is sent.
  package var value: PropertyValue {
    var device: [String: PropertyValue] = [
      "manufacturer": .text(device.manufacturer), "model": .text(device.model), "type": .text(device.type),
    ]
    device["advertisingId"] = self.device.advertisingID.map(PropertyValue.text)
    var context: [String: PropertyValue] = [
      "app": [
        "name": .text(app.name), "version": .text(app.version), "build": .text(app.build),
        "namespace": .text(app.namespace),
      ],
      "device": .object(device),
      "os": ["name": .text(os.name), "version": .text(os.version)],
      "screen": [
        "width": .integer(screen.width), "height": .integer(screen.height),
        "density": .double((screen.density * 100).rounded() / 100),
      ],
      "library": ["name": .text(library.name), "version": .text(library.version)],
      "locale": .text(locale), "timezone": .text(timeZone),
    ]
    context["network"] = isWifi.map { ["wifi": .bool($0)] }
    return .object(context)
  }
}

/// Where a context comes from.
package protocol ContextSource: Sendable {
  /// The context as it is now, without advertising id.
  func context() -> EventContext
  /// Another number each time that locale, time zone or network have changed.
  var generation: Int { get }
}

/// The JSON of the context, made again only when something has changed.
package struct ContextCache: Sendable {
  private struct Entry: Sendable {
    let generation: Int
    let advertisingID: String?
    let json: [UInt8]
  }

  private let source: any ContextSource
  private var entry: Entry?

  package init(_ source: any ContextSource) {
    self.source = source
  }

  /// The context of an event.
  package mutating func json(advertisingID: String?) -> [UInt8] {
    // Read before the context: a change between the two is noticed at the next event.
    let generation = source.generation
    if let entry, entry.generation == generation, entry.advertisingID == advertisingID { return entry.json }
    var context = source.context()
    context.device.advertisingID = advertisingID
    var json: [UInt8] = []
    PropertyWriter.append(context.value, to: &json)
    entry = Entry(generation: generation, advertisingID: advertisingID, json: json)
    return json
  }

  /// Forgets what was made.
  package mutating func clear() {
    entry = nil
  }
}
