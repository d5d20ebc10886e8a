import Foundation
import Symbolication
import TelemetryCore
import TestSupport
import Testing

@testable import Commands

/// The real symbolizer, on files of real compilers.
@Suite("llvm-symbolizer")
struct SymbolizerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The installed program of this name; those of a version first, because Swift's own linker knows no iOS.
  private static func tool(_ name: String) -> String? {
    ((13...22).map { "\(name)-\($0)" } + [name]).first(where: ChildProcess.isInstalled)
  }

  private static let hasTools = ["clang", "ld64.lld", "dsymutil", "llvm-nm", "llvm-symbolizer"].allSatisfy {
    tool($0) != nil
  }
  private static let hasSwift = hasTools && ChildProcess.isInstalled("swiftc")

  private func run(_ name: String, _ arguments: [String]) throws -> String {
    let output = folder.path("output-\(UUID().uuidString)")
    let tool = try #require(Self.tool(name))
    let end = try ChildProcess(tool, arguments, output: output).wait()
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    try #require(end == .exited(0), "\(tool): \(text)")
    return text
  }

  /// A program of many functions, some of which are inlined into others.
  private var source: String {
    let parts = (0..<40).map { number in
      """
      static inline __attribute__((always_inline)) int step\(number)(int x) {
        int y = x * \(number + 3);
        if (y > \(100 * number))
          y -= \(number);
        return y;
      }
      __attribute__((noinline)) int middle\(number)(int n) {
        int s = \(number);
        for (int i = 0; i < n; i++)
          s += step\(number)(i) ^ step\((number * 7 + 1) % (number + 1))(s);
        return s;
      }
      """
    }
    let calls = (0..<40).map { "  s += middle\($0)(s);\n" }.joined()
    return parts.joined(separator: "\n") + "\nint outer(int s) {\n\(calls)  return s;\n}\n"
  }

  /// The addresses from the first to the last function.
  private func addresses(of path: String) throws -> ClosedRange<UInt64> {
    let lines = try run("llvm-nm", ["--defined-only", path]).split(separator: "\n")
    let found = lines.compactMap { line -> UInt64? in
      let parts = line.split(separator: " ")
      return parts.count == 3 && "tT".contains(parts[1]) ? UInt64(parts[0], radix: 16) : nil
    }
    return try #require(found.filter { $0 > 0 }.min())...(#require(found.max()) + 64)
  }

  /// The symbolizer's answers in its text for people: functions, each with its file and line.
  private func expected(_ addresses: [UInt64], in path: String) throws -> [[String]] {
    let text = try run("llvm-symbolizer", ["--obj=\(path)"] + addresses.map { "0x" + String($0, radix: 16) })
    return text.components(separatedBy: "\n\n").filter { !$0.isEmpty }.map { answer in
      let lines = answer.split(separator: "\n")
      return stride(from: 0, to: lines.count - 1, by: 2).compactMap { index in
        let place = lines[index + 1].split(separator: ":").dropLast()
        let line = place.last == "0" ? "" : ":\(place.last ?? "")"
        let name = lines[index] == "??" ? "" : SwiftDemangler.name(of: String(lines[index]))
        let file = place.first == "??" ? "" : place.dropLast().joined(separator: ":")
        return name.isEmpty && file.isEmpty ? nil : "\(name) \(file)\(line)"
      }
    }
  }

  /// Looks up random places and compares them with the symbolizer's own answers.
  private func compare(_ path: String, in folder: String, count: Int = 1_000) throws {
    var search = SymbolSearch()
    search.add(folder)
    let module = try #require(search.modules.values.first { $0.path == path })
    var random = SeededGenerator(seed: 52)
    let range = try addresses(of: path)
    let offsets = (0..<count).map { _ in UInt64.random(in: range, using: &random) - module.object.base }
    var options = SymbolOptions()
    (options.folders, options.symbolizer) = ([folder], try symbolizerPath())
    let symbols = try #require(options.makeSymbolicator())
    // Frames without a caller are looked up where they are.
    let stacks = RecordedCallStacks(
      binaries: [.init(name: "App", uuid: module.object.identifier.digits.uppercased())],
      frames: offsets.map { .init(address: nil, binary: 0, depth: 0, offset: $0, samples: nil) })
    let named = symbols.symbolicated(stacks, of: "crashDiagnostics.callStackTree")
    let found = named.frames.map { frame in
      (frame.symbols ?? []).map { "\($0.function) \($0.file)" + ($0.line.map { ":\($0)" } ?? "") }
    }
    #expect(found == (try expected(offsets.map { module.object.base + $0 }, in: path)))
    #expect(symbols.problems.isEmpty)
    #expect(found.contains { $0.count > 1 })
    #expect(found.filter { !$0.isEmpty }.count > count / 2)
  }

  private func symbolizerPath() throws -> String {
    var options = SymbolOptions()
    options.programFolders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(
      String.init)
    return try #require(options.symbolizerPath)
  }

  @Test(
    "names 1,000 places of a dSYM as it does when asked alone",
    .enabled(if: hasTools, "clang, lld or llvm is not installed"))
  func dSYM() throws {
    let file = try folder.write(source, to: "my app.c")
    _ = try run("clang", ["-g", "-O1", "--target=arm64-apple-ios15", "-c", file, "-o", folder.path("a.o")])
    _ = try run(
      "ld64.lld",
      [
        "-arch", "arm64", "-platform_version", "ios", "15.0", "15.0", "-dylib", folder.path("a.o"), "-o",
        folder.path("App"),
      ])
    let bundle = folder.path("symbols/My App.dSYM")
    try FileManager.default.createDirectory(atPath: folder.path("symbols"), withIntermediateDirectories: true)
    _ = try run("dsymutil", [folder.path("App"), "-o", bundle])
    // The linked program has the same UUID and no lines: it stands first by name.
    try FileManager.default.copyItem(atPath: folder.path("App"), toPath: folder.path("symbols/App"))
    try compare(bundle + "/Contents/Resources/DWARF/App", in: folder.path("symbols"))
  }

  @Test(
    "names 1,000 places of an ELF program as it does when asked alone",
    .enabled(if: hasTools, "clang, lld or llvm is not installed"))
  func elf() throws {
    let file = try folder.write(source, to: "app.c")
    let program = folder.path("symbols/app")
    try FileManager.default.createDirectory(atPath: folder.path("symbols"), withIntermediateDirectories: true)
    _ = try run(
      "clang",
      [
        "-g", "-O1", "-static", "-nostdlib", "-fuse-ld=lld", "-Wl,-e,outer", "-Wl,--build-id=sha1", file,
        "-o",
        program,
      ])
    try compare(program, in: folder.path("symbols"))
  }

  @Test(
    "names places of a Swift library, with names as in the source",
    .enabled(if: hasSwift, "swiftc, clang, lld or llvm is not installed"))
  func swift() throws {
    let source = """
      public struct Cart {
        var items: [Int] = []
        @inline(__always) func price(_ item: Int) -> Int { item > 3 ? item * 2 : item + 1 }
        public mutating func checkout(_ count: Int) -> Int {
          var sum = 0
          for item in 0..<count { sum &+= price(item) }
          items.append(sum)
          return items.reduce(0) { $0 &+ price($1) }
        }
      }
      """
    let file = try folder.write(source, to: "Cart.swift")
    let library = folder.path("symbols/libCart.so")
    try FileManager.default.createDirectory(atPath: folder.path("symbols"), withIntermediateDirectories: true)
    let end = try ChildProcess(
      "swiftc", ["-g", "-O", "-emit-library", "-Xlinker", "--build-id", file, "-o", library]
    ).wait()
    try #require(end == .exited(0))
    try compare(library, in: folder.path("symbols"), count: 300)
  }
}
