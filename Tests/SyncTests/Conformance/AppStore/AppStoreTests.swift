import Foundation
import Sync
import TestSupport
import Testing

@Suite("A store of an app")
struct AppStoreTests {
  private func makeFactory(in folder: TemporaryFolder) -> AppSyncStoreFactory {
    AppSyncStoreFactory(file: folder.url.appendingPathComponent("sync.sqlite"), domain: .sample)
  }

  @Test func `What JSON cannot express is refused, and nothing of it is kept`() throws {
    let folder = try TemporaryFolder()
    let store = try makeFactory(in: folder).makeStore()
    let key = EntityKey(kind: "event", id: "a")
    for number in [Double.nan, .infinity, -.infinity] {
      let error = #expect(throws: SyncError.self) {
        try store.upsert(SyncEntity(key: key, members: ["n": .double(number)]))
      }
      #expect(error?.code == .store)
    }
    #expect(try store.entity(key) == nil)
  }

  @Test func `A file that cannot be opened is a store that is not available`() throws {
    let factory = AppSyncStoreFactory(file: URL(fileURLWithPath: "/dev/null/sync.sqlite"), domain: .sample)
    let error = #expect(throws: SyncError.self) { try factory.makeStore() }
    #expect(error?.code == .storeUnavailable)
  }
}
