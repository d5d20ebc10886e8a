import DeliveryCore
import Essentials
import SimulationKit

/// The sample app of simulations, with the names and content of its events.
struct SimulatedApp: ContextSource {
  private static let names = [
    "Song Played", "Song Skipped", "Playlist Opened", "Search Done", "Album Saved", "Ad Shown",
  ]
  private static let titles = ["Long Tall Sally", "So What", "Blue in Green", "Aguas de Março", "Gymnopédie"]

  private var random: SimulationRandom
  /// Number of events created.
  private(set) var made = 0

  init(random: SimulationRandom) {
    self.random = random
  }

  /// The next event of a type.
  mutating func event(_ kind: EventDraft.Kind, name: String?) -> EventDraft {
    made += 1
    switch kind {
    case .track: return .track(name ?? random.pick(Self.names), properties: properties())
    case .identify: return .identify(name ?? "user-\(made)", traits: ["plan": "free"])
    case .group: return .group(name ?? "family-\(made)")
    case .screen: return .screen(name ?? "Player", properties: properties())
    case .page: return .page(name ?? "Charts", properties: properties())
    case .alias: return .alias(name ?? "user-\(made)")
    }
  }

  private mutating func properties() -> [String: PropertyValue] {
    [
      "title": .text(random.pick(Self.titles)), "seconds": .integer(Int64(random.place(in: 300))),
      "volume": .double((random.unit() * 100).rounded() / 100), "shuffle": .bool(random.chance(0.3)),
    ]
  }

  var generation: Int { 0 }

  func context() -> EventContext {
    var context = EventContext()
    context.app.name = "Songs"
    context.app.version = "2.1"
    context.app.build = "77"
    context.app.namespace = "com.example.songs"
    context.device.manufacturer = "Example"
    context.device.model = "Phone1,1"
    context.device.type = "phone"
    context.os.name = "SimulatedOS"
    context.os.version = "1.0"
    return context
  }
}

/// A transport that is never used, because the simulation posts batches itself.
struct UnusedTransport: DeliveryTransport {
  func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
    throw TransportFailure(.unavailable, "a simulation posts nothing")
  }
}
