import Testing

@testable import ClickHouse

@Suite("Addresses of databases")
struct ServerAddressTests {
  @Test(
    arguments: [
      ("clickhouse://metrics.example.com/shop", "http://metrics.example.com:8123/", "shop", nil),
      ("clickhouses://metrics.example.com/shop", "https://metrics.example.com:8443/", "shop", nil),
      ("clickhouses://reader@10.0.0.7:9443/shop/", "https://10.0.0.7:9443/", "shop", nil),
      ("clickhouse://[::1]:8124/shop?cluster=two", "http://[::1]:8124/", "shop", "two"),
    ] as [(String, String, String, String?)])
  func read(text: String, url: String, database: String, cluster: String?) throws {
    let address = try ServerAddress(text)
    #expect(address.url(user: nil) == url)
    #expect(address.database == database)
    #expect(address.cluster == cluster)
  }

  @Test func `A user and the server have names`() throws {
    let address = try ServerAddress("clickhouses://wr%40iter@metrics.example.com/shop")
    #expect(address.user == "wr@iter" && address.server == "metrics.example.com:8443")
  }

  @Test(
    arguments: [
      ("clickhouse://h", .noDatabase),
      ("clickhouse://h/", .noDatabase),
      ("clickhouse:///shop", .notAnAddress),
      ("clickhouse://h/a/b", .notAnAddress),
      ("http://h/shop", .notAnAddress),
      ("clickhouse://me:secret@h/shop", .hasPassword),
      ("clickhouse://h/sh-op", .badName("sh-op")),
      ("clickhouse://h/9shop", .badName("9shop")),
      ("clickhouse://h/shop?cluster=a;b", .badName("a;b")),
      ("clickhouse://h/shop?password=x", .unknownParameter("password")),
      ("clickhouse://me:@h/shop", .hasPassword),
      ("clickhouse://h/shop#x", .notAnAddress),
      ("clickhouse://h:70000/shop", .notAnAddress),
      ("clickhouse://h:0/shop", .notAnAddress),
      ("", .notAnAddress),
      ("clickhouse://h%2Fx/shop", .notAnAddress),
    ] as [(String, ServerAddress.Refusal)])
  func refused(text: String, reason: ServerAddress.Refusal) {
    #expect(throws: reason) { try ServerAddress(text) }
  }
}
