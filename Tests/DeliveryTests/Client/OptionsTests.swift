import DeliveryCore
import Foundation
import Testing

@Suite("Options")
struct OptionsTests {
  private func host(_ text: String) -> String {
    InitOptions(writeKey: "k", ingestionHost: text).ingestionHost
  }

  private func code(_ options: InitOptions) -> DeliveryError.Code? {
    do {
      try options.validate()
      return nil
    } catch { return error.code }
  }

  @Test("B-1: A host given as text with a trailing slash is stored without it")
  func trailingSlash() {
    #expect(host("https://a.example/") == "https://a.example")
    #expect(host("https://a.example/in//") == "https://a.example/in")
  }

  @Test("B-2: White space around the host text is removed")
  func spaces() { #expect(host(" \n https://a.example/ \t") == "https://a.example") }

  @Test("B-3: A host given as URL is stored unchanged")
  func url() throws {
    let url = try #require(URL(string: "https://a.example:8443/in/"))
    let options = InitOptions(writeKey: "k", ingestionHost: url)
    #expect(options.ingestionHost == "https://a.example:8443/in/")
    #expect(options.endpoint?.absoluteString == "https://a.example:8443/in/v1/batch")
  }

  @Test("B-4: An empty write key is refused", arguments: ["", "  ", "\n\t"])
  func writeKey(_ key: String) {
    #expect(code(InitOptions(writeKey: key, ingestionHost: "https://a.example")) == .blankWriteKey)
  }

  @Test(
    "B-5: A host that is no URL or not http(s) is refused; http, https and ports are accepted",
    arguments: [
      ("", false), ("a.example", false), ("/v1", false), ("ftp://a.example", false), ("https://", false),
      ("https:///path", false), ("file:///etc/passwd", false), ("https://a.example?x=1", false),
      ("ht tp://a", false), ("https://a.example:0", false), ("https://a.example:65536", false),
      ("https://u:p@a.example", false), ("https://u@a.example", false), ("https://:p@a.example", false),
      ("https://a.example:65535", true),
      ("http://a.example", true), ("https://a.example", true), ("HTTPS://a.example", true),
      ("https://a.example:8443", true), ("https://[::1]:8080/in", true), ("http://127.0.0.1:9", true),
    ])
  func hosts(_ text: String, _ isValid: Bool) {
    #expect(code(InitOptions(writeKey: "k", ingestionHost: text)) == (isValid ? nil : .invalidHost))
  }

  @Test(
    "B-6: A flush interval of 0 or less is clamped to 1 s",
    arguments: [(0, 1), (-5, 1), (.min, 1), (1, 1), (30, 30)])
  func interval(_ seconds: Int, _ expected: Int) {
    let options = InitOptions(
      writeKey: "k", ingestionHost: "https://a.example", flushIntervalSeconds: seconds)
    #expect(options.flushIntervalSeconds == expected)
  }

  @Test("B-7: The disk cap defaults to 10000, accepts 0, refuses negatives")
  func diskCap() {
    #expect(InitOptions(writeKey: "k", ingestionHost: "https://a.example").maxDiskEvents == 10_000)
    #expect(code(InitOptions(writeKey: "k", ingestionHost: "https://a.example", maxDiskEvents: 0)) == nil)
    #expect(
      code(InitOptions(writeKey: "k", ingestionHost: "https://a.example", maxDiskEvents: -1))
        == .negativeDiskEvents)
  }

  @Test("B-8: Lifecycle tracking is off by default and can be enabled")
  func lifecycleTracking() {
    #expect(!InitOptions(writeKey: "k", ingestionHost: "https://a.example").trackLifecycleEvents)
    #expect(
      InitOptions(writeKey: "k", ingestionHost: "https://a.example", trackLifecycleEvents: true)
        .trackLifecycleEvents)
  }

  @Test("Options that are odd are told of, and those of this machine are not")
  func warnings() {
    func warnings(_ host: String, queue: Int = 2000, disk: Int = 10_000) -> Int {
      InitOptions(writeKey: "k", ingestionHost: host, maxQueueEvents: queue, maxDiskEvents: disk).warnings
        .count
    }
    #expect(warnings("https://a.example") == 0)
    #expect(warnings("http://a.example") == 1)
    #expect(warnings("http://localhost:8080") == 0)
    #expect(warnings("http://127.0.0.1:8080") == 0)
    #expect(warnings("http://127.0.0.1.evil.example") == 1)
    #expect(warnings("http://[::1]:1") == 0)
    #expect(warnings("https://a.example", queue: 0) == 1)
    #expect(warnings("https://a.example", disk: 100) == 1)
    #expect(warnings("https://a.example", disk: 0) == 0)
  }

  @Test("No error holds the write key")
  func errorsAreMasked() {
    let options = InitOptions(writeKey: "secret-key-1234", ingestionHost: "nowhere")
    #expect(throws: DeliveryError.self) { try options.validate() }
    do { try options.validate() } catch { #expect(!error.description.contains("secret-key")) }
  }
}
