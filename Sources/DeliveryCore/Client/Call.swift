package import Essentials
import Platform

/// One call of the app, on its way to the client.
package enum Call: Sendable {
  /// An event, with the number of values left out as not expressible in JSON, and the time of the call.
  case event(EventDraft, leftOut: Int, at: Date)
  case setAdvertisingID(String?)
  case setTracing(Bool)
  case enableDebugLogging
  case recordOpenedURL(String, source: String?)
  case flush(Waiter<Void>?)
  case anonymousID(Waiter<String>)
  case debugInfo(Waiter<[String: PropertyValue]>)
  case status(Waiter<ClientStatus>)
  case networkChanged(isOnline: Bool)
  case enterBackground(Waiter<Void>?)
  case enterForeground
  case terminate(Waiter<Void>?)
  case refusedEvents(Waiter<[RefusedEvent]>)
  case sendRefusedAgain
  case reset(Waiter<Void>?)

  /// The call's name in records.
  package var name: String {
    switch self {
    case .event(let draft, _, _): draft.kind.rawValue
    case .setAdvertisingID(nil): "clearAdvertisingId"
    case .setAdvertisingID: "setAdvertisingId"
    case .setTracing: "setTracing"
    case .enableDebugLogging: "enableDebugLogging"
    case .recordOpenedURL: "recordOpenedURL"
    case .flush: "flush"
    case .anonymousID: "getAnonymousId"
    case .debugInfo: "getDebugInfo"
    case .status: "status"
    case .networkChanged: "networkChanged"
    case .enterBackground: "enterBackground"
    case .enterForeground: "enterForeground"
    case .terminate: "terminate"
    case .refusedEvents: "refusedEvents"
    case .sendRefusedAgain: "sendRefusedAgain"
    case .reset: "reset"
    }
  }
}

extension Call {
  /// The caller waiting for the end of the call.
  var waiter: Waiter<Void>? {
    switch self {
    case .flush(let waiter), .enterBackground(let waiter), .terminate(let waiter), .reset(let waiter): waiter
    case .event, .setAdvertisingID, .setTracing, .enableDebugLogging, .recordOpenedURL, .anonymousID,
      .debugInfo, .status, .networkChanged, .enterForeground, .refusedEvents, .sendRefusedAgain:
      nil
    }
  }
}

/// A caller waiting for a value.
///
/// Resumed once; later answers are ignored, so a refusal and an answer may race.
package final class Waiter<Value: Sendable>: Sendable {
  private let tell: Locked<(@Sendable (Value) -> Void)?>

  package init(_ tell: @escaping @Sendable (Value) -> Void) {
    self.tell = Locked(tell)
  }

  package func resume(_ value: Value) {
    let tell = tell.withLock { tell in
      defer { tell = nil }
      return tell
    }
    tell?(value)
  }
}

extension Waiter where Value == Void {
  package func resume() { resume(()) }
}
