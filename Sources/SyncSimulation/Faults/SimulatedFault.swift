public import SimulationKit
import Sync

/// A fault between a simulated app and its server.
///
/// Faults are data: the screen lists them, scenarios set them, a ``FaultBoard`` holds the current settings.
public enum SimulatedFault: String, DrivenFault, Codable {
  /// The targets of faults.
  public typealias Scope = FaultScope

  /// Every answer takes longer by the amount.
  case latency
  /// Every answer takes longer or shorter by up to the amount.
  case jitter
  /// The request never arrives; the app times out after the amount.
  case dropRequest
  /// The server executes the request, but its answer never arrives; the app times out after the amount.
  case dropReply
  /// Requests and answers are limited to a transfer rate.
  case bandwidth
  /// The connection is reset after the amount.
  case disconnect
  /// 429 without a Retry-After header.
  case rateLimit
  /// 429 with a Retry-After header.
  case rateLimitRetryAfter
  /// An answer with a status from 500 to 599.
  case serverError
  /// An answer with status 401 or 403.
  case unauthorized
  /// A create finds that someone else has created the same entity under another id.
  case duplicate
  /// A percentage of the items of a batch is refused or missing from the answer.
  case partialBatch
  /// A login page in place of the answer.
  case loginPage
  /// No network.
  case offline
  /// The device's calendar is ahead by the amount; the engine's own clock is not.
  case clockSkew

  /// The name, and the meaning of the amount.
  public var traits: FaultTraits {
    switch self {
    case .latency: .latency
    case .jitter: .jitter
    case .dropRequest: FaultTraits("drop request", 0.1...300, "s", usual: 30, step: 5)
    case .dropReply: FaultTraits("drop reply", 0.1...300, "s", usual: 30, step: 5)
    case .bandwidth: .bandwidth
    case .disconnect: .disconnect
    case .rateLimit: .rateLimit
    case .rateLimitRetryAfter: .rateLimitRetryAfter
    case .serverError: .serverError
    case .unauthorized: FaultTraits("unauthorized", 401...403, "status", usual: 401, step: 2)
    case .duplicate: FaultTraits("duplicate")
    case .partialBatch: FaultTraits("partial batch", 0...100, "%", usual: 30, step: 10)
    case .loginPage: FaultTraits("login page")
    case .offline: .offline
    case .clockSkew: .clockSkew
    }
  }
}

/// A call of the engine to its server.
public enum SimulatedCall: String, CaseIterable, Hashable, Sendable {
  case probe, push, pull, bootstrap
}

/// The calls that a fault applies to: all or those of one type, optionally limited to one kind of entity.
///
/// As text: `all`, `push`, `push:event`, `all:event`.
public struct FaultScope: DrivenFaultScope, CustomStringConvertible {
  /// The type of call; `nil` for all.
  public let call: SimulatedCall?
  /// The name of the kind; `nil` for all.
  public let kind: String?

  /// A scope.
  public init(_ call: SimulatedCall? = nil, kind: String? = nil) {
    self.call = call
    self.kind = kind.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Parses a scope; `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let call = SimulatedCall(rawValue: parts[0])
    guard call != nil || parts[0] == "all", parts.count == 1 || !parts[1].isEmpty else { return nil }
    self.init(call, kind: parts.count == 2 ? parts[1] : nil)
  }

  /// The scope as text.
  public var description: String {
    (call?.rawValue ?? "all") + (kind.map { ":" + $0 } ?? "")
  }

  /// True if the scope includes a call.
  func contains(_ call: SimulatedCall, kind: String?) -> Bool {
    (self.call == nil || self.call == call) && (self.kind == nil || self.kind == kind)
  }
}

extension FaultScope {
  /// All calls.
  public static var all: FaultScope { FaultScope() }
  /// The possible scopes, for use in a sentence.
  public static var names: String { "all, probe, push, pull, bootstrap, push:KIND" }
  /// The scope in scenario syntax.
  public var text: String { description }

  /// The next type of call in the cycle of all, probe, push, pull, bootstrap; for every kind.
  public var next: FaultScope {
    let calls: [SimulatedCall?] = [nil] + SimulatedCall.allCases
    let place = calls.firstIndex(of: call).map { $0 + 1 } ?? 0
    return FaultScope(place < calls.count ? calls[place] : nil)
  }
}

/// A fault with its amount, its probability and the calls that it applies to.
public typealias FaultSetting = DrivenFaultSetting<SimulatedFault>

/// The current fault settings, at most one per fault.
public typealias FaultBoard = DrivenFaultBoard<SimulatedFault>
