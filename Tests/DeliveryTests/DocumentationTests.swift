import Foundation
import Testing

@testable import DeliveryCore

// The snippets of Delivery.docc, as they stand there, and what they leave open. They are compiled and not run: there is one
// client in a process.

private let key = "your key"
private let options = InitOptions(writeKey: key, ingestionHost: "https://events.example.com")
private let hasConsent = false
private let advertisingIdentifier = UUID()

private enum ATTrackingManager {
  enum AuthorizationStatus { case denied, authorized }
  static func requestTrackingAuthorization(_ answer: @escaping @Sendable (AuthorizationStatus) -> Void) {}
}

private func begin() async {
  let analytics = Analytics.initialize(
    with: InitOptions(writeKey: key, ingestionHost: "https://events.example.com"))

  analytics.identify("user-42", traits: ["plan": "family"])
  analytics.track("Song Played", properties: ["title": "Long Tall Sally", "seconds": 128])
  analytics.screen("Library")
  await Analytics.initializeAndWait(with: options)
}

private func check() {
  do throws(DeliveryError) {
    try options.validate()
  } catch {
    print(error.message)
  }
}

private func wait() async {
  await Analytics.flushAndWait()
  await Analytics.enterBackgroundAndWait()
  await Analytics.resetAndWait()
}

private func tell() {
  Analytics.enterBackground()
  Analytics.enterForeground()
  Analytics.terminate()
}

private func ask(_ url: URL) {
  if hasConsent {
    Analytics.initialize(with: options)
  } else {
    Analytics.isEnabled = false
    Analytics.reset()
  }
  var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
  parts?.query = nil
  parts?.fragment = nil
  if let bare = parts?.url { Analytics.shared.recordOpenedURL(bare) }
  ATTrackingManager.requestTrackingAuthorization { status in
    if status == .authorized {
      Analytics.shared.setAdvertisingId(advertisingIdentifier.uuidString)
    } else {
      Analytics.shared.clearAdvertisingId()
    }
  }
}

struct SongPlayed: Encodable {
  let title: String
  let seconds: Double
}

private func encode() throws {
  let song = SongPlayed(title: "Long Tall Sally", seconds: 128)
  try Analytics.shared.track("Song Played", properties: .init(encoding: song))
}

private func enrich() {
  var options = InitOptions(writeKey: key, ingestionHost: "https://events.example.com")
  options.enrich = { event in
    guard event.name != "Heartbeat" else { return nil }
    var event = event
    event.properties = (event.properties ?? [:]).merging(["tier": "gold"]) { old, _ in old }
    return event
  }
  Analytics.initialize(with: options)
}

private func bill() {
  var billingOptions = InitOptions(writeKey: key, ingestionHost: "https://billing.example.com")
  billingOptions.storageNamespace = "billing"
  let billing = AnalyticsInstance(billingOptions)
  billing.client.track("Invoice Opened")
}

@Suite("The documentation of the module")
struct DocumentationTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func page() throws -> String {
    try String(
      contentsOf: root.appendingPathComponent("Sources/Delivery/Delivery.docc/Delivery.md"), encoding: .utf8)
  }

  @Test func `Every line of Swift in it is compiled`() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let library = try String(
      contentsOf: Self.root.appendingPathComponent("docs/library.md"), encoding: .utf8)
    let section = try #require(
      library.components(separatedBy: "\n## ").first { $0.hasPrefix("Deliver events") })
    let parts = (try Self.page() + section).components(separatedBy: "```")
    // Text and code take turns.
    let snippets = parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    #expect(snippets.count >= 8)
    func bare(_ line: Substring) -> String {
      let line = line.trimmingCharacters(in: .whitespaces)
      return line.hasPrefix("struct ") ? "private " + line : line
    }
    let compiled = Set(source.split(separator: "\n").map(bare))
    for line in snippets.flatMap({ $0.split(separator: "\n").dropFirst() }) {
      #expect(line.hasPrefix("import ") || compiled.contains(bare(line)), "\(line)")
    }
  }

  @Test func `Every symbol that it names is declared`() throws {
    var sources = ""
    let files = FileManager.default.enumerator(
      at: Self.root.appendingPathComponent("Sources/DeliveryCore"), includingPropertiesForKeys: nil)
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      sources += try String(contentsOf: file, encoding: .utf8)
    }
    let links = try Self.page().matches(of: /``([A-Za-z]+)(?:\/([A-Za-z]+)[^`]*)?``/)
    #expect(links.count > 15)
    for link in links {
      let type = String(link.1)
      #expect(
        type == "Delivery"
          || ["struct", "enum", "protocol", "final class"].contains {
            sources.contains("public \($0) \(type)")
          }, "\(type)")
      guard let member = link.2 else { continue }
      #expect(
        ["func \(member)(", "let \(member):", "var \(member):", "var \(member) ="].contains {
          sources.contains($0)
        },
        "\(type)/\(member)")
    }
  }

  @Test func `Its numbers are those of the client`() throws {
    let page = try Self.page()
    #expect(page.contains("\(InitOptions.defaultBufferedCalls) of them"))
    #expect(EventAge.maximum == 7 * 86_400 && page.contains("for seven days"))
    #expect(Masked.id("0123456789") == "…23456789" && Masked.key("0123456789") == "***6789")
  }
}
