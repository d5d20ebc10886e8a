import DeliveryCore
public import SimulationKit

/// Something that goes wrong on a simulated device, at its endpoint, or between the two.
///
/// Faults are data: scenarios set them, an ``EndpointFaultBoard`` holds what is set. Those that the sync simulator has, too,
/// have its names and its places in the list.
public enum EndpointFault: String, DrivenFault, Codable {
  /// Everything that it can strike.
  public typealias Scope = EndpointFaultScope

  /// Every answer takes that much longer.
  case latency
  /// Every answer takes up to that much longer or less long.
  case jitter
  /// The request never arrives, and the client waits in vain.
  case dropRequest
  /// The endpoint takes the batch, but its answer never arrives, and the client waits in vain.
  case dropReply
  /// Everything sent passes at that rate.
  case bandwidth
  /// The connection is closed after that time.
  case disconnect
  /// 429 without a word on when to come back.
  case rateLimit
  /// 429 that asks to wait for that time.
  case rateLimitRetryAfter
  /// An answer with that status, 500 to 599.
  case serverError
  /// An answer with that status: 401, 403 or 404.
  case unauthorized
  /// An answer with that status, whatever it is.
  case status
  /// 413 for every batch of more events than that.
  case tooLarge
  /// The answer to a batch that was taken breaks off behind its head.
  case halfBody
  /// No network, and the device knows it.
  case offline
  /// The calendar of the device is that far ahead; the client's own clock is not.
  case clockSkew
  /// 503 that asks to come back at a date, that much later by the endpoint's calendar.
  case retryDate
  /// The disk of the device takes no writes.
  case diskFull

  /// The name, and the meaning of the amount.
  public var traits: FaultTraits {
    switch self {
    case .latency: .latency
    case .jitter: .jitter
    case .dropRequest: FaultTraits("drop request")
    case .dropReply: FaultTraits("drop reply")
    case .bandwidth: .bandwidth
    case .disconnect: .disconnect
    case .rateLimit: .rateLimit
    case .rateLimitRetryAfter: .rateLimitRetryAfter
    case .serverError: .serverError
    case .unauthorized: FaultTraits("unauthorized", 401...404, "status", usual: 401, step: 1)
    case .status: FaultTraits("another status", 100...999, "status", usual: 400, step: 1)
    case .tooLarge: FaultTraits("413", 0...10_000, "events", usual: 10, step: 5)
    case .halfBody: FaultTraits("half a body")
    case .offline: .offline
    case .clockSkew: .clockSkew
    case .retryDate: FaultTraits("503 until a date", 0...86_400, "s", usual: 60, step: 30)
    case .diskFull: FaultTraits("disk full")
    }
  }
}

/// Which batches a fault strikes.
public enum EndpointFaultScope: String, CaseIterable, DrivenFaultScope {
  case all
  /// Those whose events come from memory.
  case memory
  /// Those whose events come from disk.
  case disk

  func contains(_ source: DeliveryMachine.Source) -> Bool {
    self == .all || rawValue == source.rawValue
  }
}

extension EndpointFaultScope {
  /// The scopes there are, for a sentence.
  public static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
  /// The scope as scenarios say it.
  public var text: String { rawValue }
  /// Reads a scope; `nil` when the text is none.
  public init?(_ text: String) { self.init(rawValue: text) }

  /// The next batches of all, those from memory, those from disk.
  public var next: EndpointFaultScope {
    switch self {
    case .all: .memory
    case .memory: .disk
    case .disk: .all
    }
  }
}

/// A fault with its amount, its probability and the batches that it strikes.
package typealias EndpointFaultSetting = DrivenFaultSetting<EndpointFault>

/// The faults that are set, each at most once.
package typealias EndpointFaultBoard = DrivenFaultBoard<EndpointFault>
