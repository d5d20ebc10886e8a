import Foundation
import JSONLines
import Platform
import TelemetryCore
import TestSupport
import Testing

@testable import Symbolication

@Suite("Symbolication")
struct SymbolicatorTests {
  private typealias Stacks = RecordedCallStacks

  /// Answers every address with a name made of it, and records the questions.
  private struct TableSymbolizer: AddressSymbolizer {
    let asked: Recorder<String>
    var failure: SymbolizerFailure?

    func symbols(
      at addresses: [UInt64], in module: ModuleFile
    ) throws(SymbolizerFailure) -> [[RecordedCallStacks.Symbol]] {
      for address in addresses {
        asked.append("\(PathParts.end(of: module.path)) \(String(address, radix: 16))")
      }
      if let failure { throw failure }
      return addresses.map { address in
        let name = "f\(String(address, radix: 16))"
        // A place whose address ends in zero lies in an inlined function.
        let inlined = [RecordedCallStacks.Symbol(function: "inlined", file: "/src/i.c", line: 1)]
        return (address & 0xF == 0 ? inlined : []) + [.init(function: name, file: "/src/a.c", line: 7)]
      }
    }
  }

  private final class MemoryCache: SymbolCache {
    let kept = Locked<[ModuleIdentifier: [UInt8]]>([:])
    func load(_ module: ModuleIdentifier) -> [UInt8]? { kept.withLock { $0[module] } }
    func save(_ bytes: [UInt8], of module: ModuleIdentifier) { kept.withLock { $0[module] = bytes } }
  }

  private static let uuid = "01020304-0506-0708-090A-0B0C0D0E0F10"
  private static let crash = "crashDiagnostics.callStackTree"
  private static let hang = "hangDiagnostics.callStackTree"
  private let asked = Recorder<String>()
  private let cache = MemoryCache()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8], to name: String) throws {
    let url = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  private func symbolicator(failure: SymbolizerFailure? = nil) -> Symbolicator {
    let (path, asked) = (folder.url.path, asked)
    return Symbolicator(cache: cache) {
      var search = SymbolSearch()
      search.add(path)
      return search
    } start: {
      TableSymbolizer(asked: asked, failure: failure)
    }
  }

  /// `depth:offset` frames, all of one build unless the offset is followed by another number.
  private func stacks(_ frames: [(depth: Int, offset: UInt64?)], uuid: String = uuid) -> Stacks {
    Stacks(
      binaries: [.init(name: "App", uuid: uuid), .init(name: "UIKitCore", uuid: "")],
      frames: frames.map { .init(address: 1, binary: 0, depth: $0.depth, offset: $0.offset, samples: nil) })
  }

  private func names(_ stacks: Stacks) -> [String] {
    stacks.frames.map { frame in
      (frame.symbols ?? []).map { "\($0.function) \($0.file):\($0.line ?? 0)" }.joined(separator: " < ")
    }
  }

  @Test("the frame that failed is looked up where it is, and those that called it one byte before")
  func returnAddresses() throws {
    try write(ObjectFixture.machO(), to: "App.dSYM/Contents/Resources/DWARF/App")
    let crash = symbolicator().symbolicated(
      stacks([(0, 0x11), (1, 0x12), (2, 0), (0, 0x15)]), of: Self.crash)
    #expect(
      names(crash) == [
        "f100000011 /src/a.c:7", "f100000011 /src/a.c:7",
        "inlined /src/i.c:1 < f100000000 /src/a.c:7", "f100000015 /src/a.c:7",
      ])
    #expect(crash.frames.map(\.function) == ["f100000011", "f100000011", "inlined", "f100000015"])
    // Stacks of samples begin with the start of a thread: the last frame of a path was not calling.
    let hang = symbolicator().symbolicated(stacks([(0, 0x12), (1, 0x23), (1, 0x34)]), of: Self.hang)
    #expect(names(hang).map { $0.prefix(10) } == ["f100000011", "f100000023", "f100000034"])
  }

  @Test("symbols of another build are never used, whatever their name")
  func wrongBuild() throws {
    try write(ObjectFixture.machO(uuid: Array(ObjectFixture.uuid.reversed())), to: "App.dSYM/App")
    let symbols = symbolicator()
    let waiting = stacks([(0, 0x11), (1, 0x22)])
    #expect(symbols.symbolicated(waiting, of: Self.crash) == waiting)
    #expect(symbols.symbolicated(waiting, of: Self.crash) == waiting)
    _ = symbols.symbolicated(waiting, of: Self.hang)
    #expect(asked.all.isEmpty)
    let missing = try #require(symbols.missing.modules.first)
    #expect(symbols.missing.modules.count == 1)
    #expect((missing.name, missing.uuid, missing.crashes, missing.others) == ("App", Self.uuid, 2, 1))
  }

  @Test("frames without build or offset stay as they are, and so do those that have their functions")
  func unknown() throws {
    try write(ObjectFixture.machO(), to: "App")
    let named = Stacks.Frame(
      address: nil, binary: 0, depth: 0, offset: 1, samples: nil, symbols: [.init(function: "known")])
    let odd = Stacks(
      binaries: [.init(name: "App", uuid: "no uuid"), .init(name: "App", uuid: Self.uuid)],
      frames: [
        .init(address: 1, binary: nil, depth: 0, offset: 1, samples: nil),
        .init(address: 1, binary: 1, depth: 1, offset: nil, samples: nil),
        .init(address: 1, binary: 0, depth: 2, offset: 5, samples: nil), named,
        .init(address: 1, binary: 1, depth: 1, offset: .max, samples: nil),
      ])
    #expect(names(symbolicator().symbolicated(odd, of: Self.crash)) == ["", "", "", "known :0", ""])
    #expect(asked.all.isEmpty)
  }

  @Test("what was found is kept: another run asks nothing, even without the symbols")
  func kept() throws {
    try write(ObjectFixture.machO(), to: "App")
    let frames = stacks([(0, 0x11), (1, 0x21), (2, 0x31)])
    let first = symbolicator()
    let named = first.symbolicated(frames, of: Self.crash)
    first.keep()
    #expect(asked.all.count == 3)
    try FileManager.default.removeItem(atPath: folder.path("App"))
    let second = symbolicator()
    #expect(second.symbolicated(frames, of: Self.crash) == named)
    #expect(asked.all.count == 3)
    #expect(second.missing.modules.isEmpty)
  }

  @Test("a file that knows lines is preferred, and replaces what was kept from one that does not")
  func better() throws {
    try write(ObjectFixture.machO(hasLines: false), to: "Products/App")
    let frames = stacks([(0, 0x11)])
    let first = symbolicator()
    _ = first.symbolicated(frames, of: Self.crash)
    first.keep()
    try write(ObjectFixture.machO(), to: "dSYMs/App.dSYM/Contents/Resources/DWARF/App-lines")
    _ = symbolicator().symbolicated(frames, of: Self.crash)
    #expect(asked.all == ["App 100000011", "App-lines 100000011"])
  }

  @Test("a symbolizer that fails is told once, and asked nothing more")
  func failing() throws {
    try write(ObjectFixture.machO(), to: "App")
    let symbols = symbolicator(failure: SymbolizerFailure("it ended"))
    let frames = stacks([(0, 0x11)])
    for _ in 0..<2 { #expect(symbols.symbolicated(frames, of: Self.crash) == frames) }
    symbols.keep()
    #expect(symbols.problems == ["it ended"])
    #expect(asked.all.count == 1)
    #expect(cache.kept.withLock { $0.isEmpty })
  }

  @Test("folders without symbols, zip archives and missing folders are named")
  func search() throws {
    try write(Array("PK\u{3}\u{4}".utf8), to: "a/dSYMs.zip")
    try write(Array("text".utf8), to: "b/readme")
    var search = SymbolSearch()
    for name in ["a", "b", "c"] { search.add(folder.path(name)) }
    let prefix = folder.url.path + "/"
    #expect(
      search.problems.map { $0.replacingOccurrences(of: prefix, with: "") } == [
        "a/dSYMs.zip: is a damaged zip archive", "b: no debug symbols in it",
        "c: No such file or directory",
      ])
  }

  @Test("a folder is searched once, however many links lead to it")
  func links() throws {
    try write(ObjectFixture.machO(), to: "a/App")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a/loop"), withDestinationPath: folder.path("a"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("a/gone"), withDestinationPath: "nowhere")
    var search = SymbolSearch()
    search.add(folder.path("a"))
    #expect(search.modules.values.map(\.path) == [folder.path("a/App")])
    #expect(search.problems.isEmpty)
  }
}
