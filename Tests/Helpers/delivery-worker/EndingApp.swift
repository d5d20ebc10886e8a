import DeliveryCore
import Foundation
import TestDelivery

/// An app with the client as apps have it, over real files, which tracks some events and ends.
struct EndingApp {
  let folder: String
  let name: String
  let options: [String: String]

  /// An endpoint that refuses connections, or one that never answers.
  private struct DeadTransport: DeliveryTransport {
    let isSilent: Bool

    func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
      if isSilent { try? await Task.sleep(nanoseconds: 3_600_000_000_000) }
      throw TransportFailure(.unreachable, "refused")
    }
  }

  /// Tracks `count` events from `first` on, ends as asked, and does not return.
  func run(_ ending: String) async throws {
    let endpoint = options["endpoint"] ?? "healthy"
    let file = EndpointFile(path: "\(folder)/\(name).endpoint", seed: nil)
    var options = InitOptions(writeKey: "key-12345678", ingestionHost: "https://in.example.com")
    options.dataFolder = URL(fileURLWithPath: "\(folder)/app")
    options.transport = endpoint == "healthy" ? file : DeadTransport(isSilent: endpoint == "silent")
    if self.options["keeps"] == "0" { options.keepDelay = .seconds(1_000_000) }
    Analytics.initialize(with: options)
    let first = self.options["first"].flatMap { Int($0) } ?? 0
    for number in first..<first + (self.options["count"].flatMap { Int($0) } ?? 0) {
      Analytics.shared.track("e\(number)")
    }
    switch ending {
    case "return": exit(0)
    case "terminate":
      Analytics.terminate()
      _exit(0)
    case "SIGTERM", "SIGINT", "SIGKILL":
      let signal = ["SIGTERM": SIGTERM, "SIGINT": SIGINT][ending] ?? SIGKILL
      // Once it has taken all calls; a machine that runs other tests meanwhile needs more than the 50 ms.
      _ = await Analytics.shared.getAnonymousId()
      try await Task.sleep(nanoseconds: 400_000_000)
      kill(getpid(), signal)
    case "reset":
      Analytics.reset()
      _exit(0)
    case "reset-return":
      Analytics.reset()
      exit(0)
    default:
      await Analytics.flushAndWait()
      exit(0)
    }
  }
}
