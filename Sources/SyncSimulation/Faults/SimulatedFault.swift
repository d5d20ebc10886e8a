public import SimulationKit
import Sync

/// Something that goes wrong between a simulated app and its server.
///
/// Faults are data: the screen lists them, scenarios set them, a ``FaultBoard`` holds what is set.
public enum SimulatedFault: String, DrivenFault, Codable {
  /// Everything that it can strike.
  public typealias Scope = FaultScope

  /// Every answer takes that much longer.
  case latency
  /// Every answer takes up to that much longer or less long.
  case jitter
  /// The request never arrives; the app gives up after that time.
  case dropRequest
  /// The server carries the request out, but its answer never arrives; the app gives up after that time.
  case dropReply
  /// Everything sent and answered passes at that rate.
  case bandwidth
  /// The connection is reset after that time.
  case disconnect
  /// 429 without a word on when to come back.
  case rateLimit
  /// 429 that asks to wait for that time.
  case rateLimitRetryAfter
  /// An answer with that status, 500 to 599.
  case serverError
  /// An answer with that status, 401 or 403.
  case unauthorized
  /// A create finds that somebody else has created the same under another id.
  case duplicate
  /// Of the items of a batch, that part is refused or not mentioned in the answer.
  case partialBatch
  /// A login page instead of the answer.
  case loginPage
  /// No network.
  case offline
  /// The calendar of the device is that far ahead; the engine's own clock is not.
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

/// Which calls a fault strikes: all or those of one sort, and of those perhaps only the ones about one kind of entity.
///
/// As text: `all`, `push`, `push:event`, `all:event`.
public struct FaultScope: DrivenFaultScope, CustomStringConvertible {
  /// The sort of call, or `nil` for all.
  public let call: SimulatedCall?
  /// The name of the kind, or `nil` for all.
  public let kind: String?

  /// A scope.
  public init(_ call: SimulatedCall? = nil, kind: String? = nil) {
    self.call = call
    self.kind = kind.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reads a scope, or `nil` when the text is none.
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

  /// True if a call is meant.
  func contains(_ call: SimulatedCall, kind: String?) -> Bool {
    (self.call == nil || self.call == call) && (self.kind == nil || self.kind == kind)
  }
}

extension FaultScope {
  /// Everything that a fault can strike.
  public static var all: FaultScope { FaultScope() }
  /// The scopes there are, for a sentence.
  public static var names: String { "all, probe, push, pull, bootstrap, push:KIND" }
  /// The scope as scenarios say it.
  public var text: String { description }

  /// The next calls of all, probe, push, pull, bootstrap; of every kind.
  public var next: FaultScope {
    let calls: [SimulatedCall?] = [nil] + SimulatedCall.allCases
    let place = calls.firstIndex(of: call).map { $0 + 1 } ?? 0
    return FaultScope(place < calls.count ? calls[place] : nil)
  }
}

/// A fault with its amount, its probability and the calls that it strikes.
public typealias FaultSetting = DrivenFaultSetting<SimulatedFault>

/// The faults that are set, each at most once.
public typealias FaultBoard = DrivenFaultBoard<SimulatedFault>
