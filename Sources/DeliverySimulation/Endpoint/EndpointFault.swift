import DeliveryCore
public import SimulationKit

/// A fault on a simulated device, at its endpoint, or between the two.
///
/// Faults are data: scenarios set them, an ``EndpointFaultBoard`` holds the current settings. Those that the sync
/// simulator shares have the same names and order.
public enum EndpointFault: String, DrivenFault, Codable {
  /// The targets of faults.
  public typealias Scope = EndpointFaultScope

  /// Every answer takes longer by the amount.
  case latency
  /// Every answer takes longer or shorter by up to the amount.
  case jitter
  /// The request never arrives, and the client times out.
  case dropRequest
  /// The endpoint accepts the batch, but its answer never arrives, and the client times out.
  case dropReply
  /// Requests are limited to a transfer rate.
  case bandwidth
  /// The connection is closed after the amount.
  case disconnect
  /// 429 without a Retry-After header.
  case rateLimit
  /// 429 with a Retry-After header.
  case rateLimitRetryAfter
  /// An answer with a status from 500 to 599.
  case serverError
  /// An answer with status 401, 403 or 404.
  case unauthorized
  /// An answer with any given status.
  case status
  /// 413 for batches with more events than the amount.
  case tooLarge
  /// The answer to an accepted batch breaks off after its header.
  case halfBody
  /// No network, and the device knows it.
  case offline
  /// The device's calendar is ahead by the amount; the client's own clock is not.
  case clockSkew
  /// 503 with a Retry-After date, later by the amount in the endpoint's calendar.
  case retryDate
  /// The device's disk refuses writes.
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

/// The batches that a fault applies to.
public enum EndpointFaultScope: String, CaseIterable, DrivenFaultScope {
  case all
  /// Batches of events from memory.
  case memory
  /// Batches of events from disk.
  case disk

  func contains(_ source: DeliveryMachine.Source) -> Bool {
    self == .all || rawValue == source.rawValue
  }
}

extension EndpointFaultScope {
  /// The possible scopes, for use in a sentence.
  public static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
  /// The scope in scenario syntax.
  public var text: String { rawValue }
  /// Parses a scope; `nil` for any other text.
  public init?(_ text: String) { self.init(rawValue: text) }

  /// The next scope in the cycle of all, memory, disk.
  public var next: EndpointFaultScope {
    switch self {
    case .all: .memory
    case .memory: .disk
    case .disk: .all
    }
  }
}

/// A fault with its amount, its probability and the batches that it applies to.
package typealias EndpointFaultSetting = DrivenFaultSetting<EndpointFault>

/// The current fault settings, at most one per fault.
package typealias EndpointFaultBoard = DrivenFaultBoard<EndpointFault>
