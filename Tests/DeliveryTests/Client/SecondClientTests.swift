import Foundation
import Platform
import TestSupport
import Testing

@testable import DeliveryCore

/// Clients over real folders, with a transport that takes everything.
@Suite("Several clients in one process")
struct SecondClientTests {
  private struct Client {
    let instance: AnalyticsInstance
    let transport: ScriptedTransport
    let errors = Locked<[DeliveryError]>([])
    var options: InitOptions

    init(_ folder: String, key: String) {
      let transport = ScriptedTransport()
      var environment = DeliveryEnvironment.system
      environment.log = { _ in }
      environment.transport = transport
      (self.transport, instance) = (transport, AnalyticsInstance(environment))
      options = InitOptions(writeKey: key, ingestionHost: "https://in.example.com")
      options.dataFolder = URL(fileURLWithPath: folder, isDirectory: true)
      let errors = errors
      options.onError = { error in errors.withLock { $0.append(error) } }
    }

    func events() async throws -> [[String: Any]] {
      await instance.flushAndWait()
      return try transport.bodies.flatMap { try CoreRig.events(in: $0) }
    }
  }

  @Test("Each has its own write key and its own folder")
  func own() async throws {
    let folder = try TemporaryFolder()
    for name in ["one", "two"] {
      let client = Client(folder.path(name), key: "key-\(name)")
      await client.instance.initializeAndWait(with: client.options)
      client.instance.client.track(name)
      let events = try await client.events()
      #expect(events.map { $0["writeKey"] as? String } == ["key-\(name)"])
      #expect(client.errors.withLock { $0.isEmpty })
    }
  }

  @Test("A second client of one folder says so, delivers from memory, and changes nothing there")
  func second() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("data")
    let (first, second) = (Client(path, key: "k"), Client(path, key: "k"))
    await first.instance.initializeAndWait(with: first.options)
    first.instance.client.identify("ada")
    let firstID = await first.instance.client.getAnonymousId()
    await second.instance.initializeAndWait(with: second.options)
    #expect(second.errors.withLock { $0.map(\.code) } == [.folderInUse])
    #expect(await second.instance.client.getDebugInfo()["folderInUse"] == .bool(true))
    second.instance.client.track("b")
    let events = try await second.events()
    #expect(events.map { $0["event"] as? String } == ["b"])
    #expect(events.map { $0["anonymousId"] as? String } == [firstID])
    second.instance.client.identify("bob")
    await second.instance.resetAndWait()
    let files = FileKeyValues(path: path + "/identity.json")
    #expect(files.value("metarouter:user_id") == "ada")
    #expect(Posix.status(at: path + "/reset.json") == nil)
    #expect(try await first.events().map { $0["userId"] as? String } == ["ada"])
    #expect(first.errors.withLock { $0.isEmpty })
  }

  @Test("A reset keeps the folder, and the next client of the same instance uses it")
  func reset() async throws {
    let folder = try TemporaryFolder()
    let client = Client(folder.path("data"), key: "k")
    await client.instance.initializeAndWait(with: client.options)
    client.instance.client.identify("ada")
    await client.instance.resetAndWait()
    client.instance.client.track("after")
    _ = try await client.events()
    #expect(client.errors.withLock { $0.isEmpty })
    #expect(FileKeyValues(path: folder.path("data/identity.json")).value("metarouter:user_id") == nil)
  }

  @Test("A claim is free again once its holder is gone, and leaves no file")
  func claim() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("data")
    var first: FolderClaim? = FolderClaim(path)
    let second = FolderClaim(path)
    #expect(first?.take() == true)
    #expect(!second.take() && !second.take(again: true))
    first = nil
    #expect(!second.take() && second.take(again: true))
    #expect(try Posix.names(in: path) == ["client.lock"])
  }
}
