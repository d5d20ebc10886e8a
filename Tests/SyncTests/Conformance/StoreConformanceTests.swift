import Foundation
import Sync
import SyncSimulation
import TestSupport
import Testing

@Suite("Stores keep what the engine relies on")
struct StoreConformanceTests {
  /// The stores that there are.
  enum Kind: CaseIterable {
    case memory, file, committedFile, app

    /// A factory with an empty disk in a folder that has to live as long as it.
    func makeFactory(in folder: TemporaryFolder, domain: SyncDomain) -> any SyncStoreFactory {
      let file = folder.url.appendingPathComponent("sync")
      return switch self {
      case .memory: InMemorySyncStoreFactory(domain: domain)
      case .file: FileSyncStoreFactory(file: file, domain: domain)
      case .committedFile: FileSyncStoreFactory(file: file, domain: domain, durability: .commit)
      case .app: AppSyncStoreFactory(file: file, domain: domain)
      }
    }
  }

  /// Kinds of one rank, two of one name, a link within one kind, and one by a member without a name.
  private static let crowded = SyncDomain(kinds: [
    EntityKind(name: "folder", rank: 3, link: .init(member: "parent", kind: "folder")),
    EntityKind(name: "tag", rank: 3), EntityKind(name: "tag", rank: 0),
    EntityKind(name: "note", rank: -1, link: .init(member: "", kind: "tag")),
  ])

  @Test(arguments: Kind.allCases)
  func `A store conforms`(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let factory = kind.makeFactory(in: folder, domain: .sample)
    #expect(try StoreConformance.check(factory, domain: .sample, steps: trials(150, long: 300)) == [])
  }

  @Test(arguments: Kind.allCases, 2...UInt64(trials(3, long: 5)))
  func `Every store conforms, whatever the seed and the domain`(_ kind: Kind, seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let domain = seed % 2 == 0 ? Self.crowded : .sample
    let factory = kind.makeFactory(in: folder, domain: domain)
    #expect(
      try StoreConformance.check(factory, domain: domain, seed: seed, steps: trials(150, long: 1000)) == [])
  }

  @Test(arguments: StoreDefect.allCases)
  func `A store that breaks one promise is found out`(defect: StoreDefect) throws {
    let factory = BrokenStoreFactory(base: InMemorySyncStoreFactory(domain: .sample), defect: defect)
    let violations = try StoreConformance.check(factory, domain: .sample)
    #expect(violations.contains { $0.contains(defect.sign) }, "\(violations)")
  }

  @Test(arguments: StoreDefect.allCases, 2...UInt64(trials(2, long: 4)))
  func `A broken promise does not hide behind a lucky seed`(defect: StoreDefect, seed: UInt64) throws {
    let factory = BrokenStoreFactory(base: InMemorySyncStoreFactory(domain: .sample), defect: defect)
    #expect(try StoreConformance.check(factory, domain: .sample, seed: seed) != [])
  }

  @Test func `A store that is not empty at first is told`() throws {
    let factory = InMemorySyncStoreFactory(domain: .sample)
    let store = factory.makeStore()
    try store.setCursor(7)
    try store.save()
    let violations = try StoreConformance.check(factory, domain: .sample)
    #expect(violations == ["a new store is empty: cursor() is the last one that was set: 7 instead of nil"])
  }
}
