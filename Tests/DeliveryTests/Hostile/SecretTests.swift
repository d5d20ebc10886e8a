import DeliveryCore
import Foundation
import MisterMetricsCore
import TelemetryCore
import TestSupport
import Testing

@Suite("What nobody is told")
struct SecretTests {
  private static let key = "secret-key-1234"

  @Test(
    "No line, debug value, error or record holds the write key or a trait, even if the endpoint repeats them",
    arguments: [false, true])
  func echo(debug: Bool) throws {
    let rig = CoreRig(
      { $0.metrics = AnyMetricStore(MetricNoopStore()) },
      options: InitOptions(writeKey: Self.key, ingestionHost: "https://in.example.com", debug: debug))
    var texts: [String] = []
    for status in [400, 200, 422, 500, 413, 302, 401] {
      rig.send(.identify("ada-lovelace", traits: ["email": "ada@example.com"]))
      rig.send(.track("Bought", properties: ["card": "4111-1111"]))
      rig.flush()
      #expect(rig.core.machine.inFlight != nil, "\(status)")
      let body = String(decoding: try #require(rig.requests.last?.request.body), as: UTF8.self)
      #expect(body.contains(Self.key) && body.contains("ada@example.com"))
      rig.answer(status, detail: body)
      rig.advance(by: .seconds(200))
      if rig.core.machine.inFlight != nil { rig.fail(.invalidAnswer, "the key \(Self.key) is odd") }
      rig.handle(.networkChanged(isOnline: false))
      rig.handle(.networkChanged(isOnline: true))
      rig.advance(by: .seconds(2))
      rig.deliverAll()
      texts.append("\(rig.core.debugInfo())")
    }
    #expect(rig.core.lifecycle.state == .disabled && rig.reports.map(\.code) == [.disabled])
    rig.handle(.reset(nil))
    texts += rig.lines.map(\.text) + rig.reports.map { "\($0) \($0.message)" }
    let records = rig.core.journal.take().map { String(decoding: $0.value, as: UTF8.self) }
    #expect(rig.lines.count > 2 && records.count > 20)
    #expect(!(texts + records).contains { $0.contains(Self.key) })
    #expect(!texts.contains { $0.contains("ada@example.com") || $0.contains("4111-1111") })
    // Whoever debugs sees what the endpoint says.
    #expect(records.contains { $0.contains("ada@example.com") } == debug)
  }

  @Test("Options that are printed, or dumped, show the end of the write key alone")
  func options() {
    let options = InitOptions(writeKey: Self.key, ingestionHost: "https://in.example.com")
    var dumped = ""
    dump(options, to: &dumped)
    dump(["options": options as Any], to: &dumped)
    for text in ["\(options)", String(reflecting: options), "\([options])", dumped] {
      #expect(text.contains("***1234") && text.contains("in.example.com"))
      #expect(!text.contains("secret"))
    }
  }

  @Test(
    "Bad options give typed errors that say what to do, by callback, in debug information and when asked",
    arguments: [
      (" ", "https://in.example.com", 0, DeliveryError.Code.blankWriteKey),
      (key, "in.example.com", 0, .invalidHost), (key, "ftp://in.example.com", 0, .invalidHost),
      (key, "", 0, .invalidHost),
      (key, "https://in.example.com", -1, .negativeDiskEvents),
      (key, "https://in.example.com", .min, .negativeDiskEvents),
    ])
  func badOptions(_ key: String, _ host: String, _ disk: Int, _ code: DeliveryError.Code) async throws {
    let rig = ProxyRig()
    let errors = Recorder<DeliveryError>()
    var options = InitOptions(writeKey: key, ingestionHost: host, maxDiskEvents: disk)
    options.onError = { errors.append($0) }
    await rig.proxy.initializeAndWait(with: options)
    #expect(errors.all.map(\.code) == [code])
    let info = await rig.proxy.getDebugInfo()
    let error = try #require(errors.all.first)
    let message = error.message
    #expect(info["error"] == .text(message) && message.contains(/: pass|such as/))
    #expect(throws: error) { try options.validate() }
    #expect(rig.warnings == ["The client cannot start: " + message])
    #expect(!message.contains(Self.key) && info["writeKey"] == .text(key == " " ? "***" : "***1234"))
  }
}
