import Essentials
import History
import Platform
package import Symbolication

/// The user's choices for naming the functions of call stacks.
package struct SymbolOptions: Sendable, Equatable {
  /// Folders with debug symbols.
  package var folders: [String] = []
  /// The named symbolizer; `nil` for the one on `PATH`.
  package var symbolizer: String?
  /// The folders where programs are looked for.
  package var programFolders: [String] = []
  /// The folder of what was found before; `nil` to keep nothing.
  package var cacheFolder: String?

  package init() {}

  /// True if there is anything to look in.
  var hasSources: Bool { !folders.isEmpty || cacheFolder != nil }
}

// MARK: Command line

extension SymbolOptions {
  private static let dsym = CommandOption(
    "dsym", "FOLDER",
    help:
      "name the functions in call stacks with the debug symbols in a .dSYM, an .xcarchive, a folder that holds some, or a zip (repeatable)"
  )
  private static let symbolizer = CommandOption(
    "symbolizer", "PATH", help: "the llvm-symbolizer that reads them (default: the one on PATH)")

  static let options = [dsym, symbolizer]

  init(_ arguments: Arguments) throws(UsageError) {
    folders = arguments.values(Self.dsym)
    for folder in folders where !arguments.environment.exists(folder) {
      throw .invalidValue(folder, for: Self.dsym.flag, expected: "a folder with debug symbols that exists")
    }
    symbolizer = try arguments.fileName(Self.symbolizer)
    if let symbolizer, !arguments.environment.exists(symbolizer) {
      throw .invalidValue(symbolizer, for: Self.symbolizer.flag, expected: "the path of llvm-symbolizer")
    }
    let path = arguments.environment.variables["PATH"] ?? ""
    programFolders = path.split(separator: ":").map(String.init)
    cacheFolder = arguments.indexFolder
  }

  /// The options where symbols are named; none otherwise, so that nothing is looked up that was found before.
  static func named(in arguments: Arguments) throws(UsageError) -> SymbolOptions {
    let options = try SymbolOptions(arguments)
    return options.folders.isEmpty ? SymbolOptions() : options
  }
}

// MARK: Symbols

extension SymbolOptions {
  /// The symbols for these choices; `nil` if there is nothing to look in.
  package func makeSymbolicator() -> Symbolicator? {
    guard hasSources else { return nil }
    let options = self
    return Symbolicator(cache: cacheFolder.map { IndexSymbolCache(folder: $0) }) {
      var search = SymbolSearch()
      for folder in options.folders { search.add(folder) }
      return search
    } start: { () throws(SymbolizerFailure) in
      guard let path = options.symbolizerPath else {
        throw SymbolizerFailure(
          "llvm-symbolizer was not found: install it (Debian: apt install llvm), or name it with --symbolizer=PATH"
        )
      }
      return try SymbolizerProcess(path: path)
    }
  }

  /// The symbolizer to run; on Debian, packages of one version have it in their name.
  var symbolizerPath: String? {
    if let symbolizer { return symbolizer }
    let names = ["llvm-symbolizer"] + (13...30).reversed().map { "llvm-symbolizer-\($0)" }
    // A relative entry would run what lies in the current folder.
    let folders = programFolders.filter { PathParts.isAbsolute($0) }
    return names.lazy.flatMap { name in folders.lazy.map { PathParts.join($0, name) } }
      .first { access($0, X_OK) == 0 && Posix.status(at: $0)?.kind == .regular }
  }
}

/// Keeps symbols in the folder of the history indexes.
struct IndexSymbolCache: SymbolCache {
  private static let limit: UInt64 = 256 << 20
  private let cache: IndexCache

  init(folder: String) { cache = IndexCache(folder: URL(fileURLWithPath: folder)) }

  private func name(_ module: ModuleIdentifier) -> String { module.digits + IndexCache.symbolEnding }

  func load(_ module: ModuleIdentifier) -> [UInt8]? {
    guard let file = cache.open(name(module)), let size = try? file.status.size, size <= Self.limit else {
      return nil
    }
    return try? file.bytes(0..<size)
  }

  /// A cache that cannot be written costs time and nothing else.
  func save(_ bytes: [UInt8], of module: ModuleIdentifier) {
    _ = try? cache.keep(at: cache.folder.appendingPathComponent(name(module))) { replacement in
      try bytes.withUnsafeBytes { try replacement.write($0) }
      return true
    }
  }
}
