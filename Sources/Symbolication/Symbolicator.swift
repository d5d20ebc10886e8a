import Platform
package import TelemetryCore

/// Answers for addresses of a file with symbols: a running `llvm-symbolizer`, or a table in tests.
package protocol AddressSymbolizer {
  /// The functions at each address, inlined ones first.
  ///
  /// - Throws: If it can answer nothing more.
  mutating func symbols(
    at addresses: [UInt64], in module: ModuleFile
  ) throws(SymbolizerFailure) -> [[RecordedCallStacks.Symbol]]
}

/// The reason why there are no more answers, for a person.
package struct SymbolizerFailure: Error, Equatable {
  package let text: String
  /// True if only this file cannot be read.
  package let isOfModule: Bool

  package init(_ text: String, isOfModule: Bool = false) {
    (self.text, self.isOfModule) = (text, isOfModule)
  }
}

/// Names the frames of call stacks with the symbols of their builds.
///
/// Looks in the cache first, then in the files with symbols, which are searched and asked only when a frame needs them. A
/// build is found by its identifier and by nothing else.
package final class Symbolicator: CallStackSymbols {
  package typealias Symbol = RecordedCallStacks.Symbol

  private let state: Locked<State>

  /// - Parameters:
  ///   - search: Finds the files with symbols; called once, when they are first needed.
  ///   - start: Starts the symbolizer; called once.
  package init(
    cache: (any SymbolCache)?, search: @escaping @Sendable () -> SymbolSearch,
    start: @escaping @Sendable () throws(SymbolizerFailure) -> any AddressSymbolizer
  ) {
    state = Locked(State(cache: cache, search: search, start: start))
  }

  /// Waits for the symbolizer with the lock held: no one else has a use for half an answer.
  package func symbolicated(_ stacks: RecordedCallStacks, of kind: String) -> RecordedCallStacks {
    let places = stacks.places(of: kind)
    guard places.contains(where: { $0 != nil }) else { return stacks }
    let names = Dictionary(
      stacks.binaries.map { ($0.uuid, $0) }, uniquingKeysWith: { first, _ in first })
    let found = state.withLock { state in
      let found = state.symbols(of: Set(places.compactMap(\.self)))
      let waiting = places.compactMap { place in
        place.flatMap { found[$0] == nil ? names[$0.uuid] : nil }
      }
      state.missing.add(Set(waiting), isCrash: RecordedCallStacks.beginsInnermost(kind))
      return found
    }
    return stacks.naming(places.map { $0.flatMap { found[$0] } })
  }

  package func keep() { state.withLock { $0.keep() } }

  /// The builds that diagnostics wait for.
  package var missing: MissingSymbols { state.withLock { $0.missing } }

  package var problem: String? { problems.first }

  /// Sentences about what went wrong.
  package var problems: [String] { state.withLock { $0.problems } }

  private struct State {
    let cache: (any SymbolCache)?
    let search: @Sendable () -> SymbolSearch
    let start: @Sendable () throws(SymbolizerFailure) -> any AddressSymbolizer
    var missing = MissingSymbols()
    var problems: [String] = []
    private var modules: [ModuleIdentifier: ModuleFile]?
    private var unpacked: [UnpackedFile] = []
    private var known: [ModuleIdentifier: KnownPlaces] = [:]
    /// Builds with places that are not kept yet.
    private var changed: Set<ModuleIdentifier> = []
    private var refused: Set<ModuleIdentifier> = []
    /// Builds that were looked for in the cache.
    private var loaded: Set<ModuleIdentifier> = []
    private var symbolizer: (any AddressSymbolizer)?
    private var hasFailed = false

    init(
      cache: (any SymbolCache)?, search: @escaping @Sendable () -> SymbolSearch,
      start: @escaping @Sendable () throws(SymbolizerFailure) -> any AddressSymbolizer
    ) {
      (self.cache, self.search, self.start) = (cache, search, start)
    }

    /// The functions of places; a place whose build is unknown has no entry.
    mutating func symbols(of places: Set<SymbolPlace>) -> [SymbolPlace: [Symbol]] {
      var result: [SymbolPlace: [Symbol]] = [:]
      for (uuid, places) in Dictionary(grouping: places, by: \.uuid) {
        guard let module = ModuleIdentifier(uuid) else { continue }
        let found = symbols(at: places.map(\.offset).sorted(), in: module)
        for place in places { result[place] = found[place.offset] }
      }
      return result
    }

    private mutating func symbols(at offsets: [UInt64], in module: ModuleIdentifier) -> [UInt64: [Symbol]] {
      let file = file(of: module)
      load(module, for: file)
      let unknown = offsets.filter { known[module]?.places[$0] == nil }
      if !unknown.isEmpty, let file { ask(unknown, file) }
      return known[module]?.places ?? [:]
    }

    private mutating func file(of module: ModuleIdentifier) -> ModuleFile? {
      if let modules { return modules[module] }
      let found = search()
      problems += found.problems
      (modules, unpacked) = (found.modules, found.unpacked)
      return found.modules[module]
    }

    /// Loads what is kept, unless it comes from a file that knows less.
    private mutating func load(_ module: ModuleIdentifier, for file: ModuleFile?) {
      guard loaded.insert(module).inserted else { return }
      let hasLines = file?.object.hasLines ?? false
      if let kept = cache?.load(module).flatMap({ KnownPlaces($0, of: module) }), kept.hasLines || !hasLines {
        known[module] = kept
      } else if file != nil {
        known[module] = KnownPlaces(hasLines: hasLines)
      }
    }

    private mutating func ask(_ offsets: [UInt64], _ file: ModuleFile) {
      let module = file.object.identifier
      guard !hasFailed, !refused.contains(module) else { return }
      do throws(SymbolizerFailure) {
        var asked: any AddressSymbolizer
        if let symbolizer { asked = symbolizer } else { asked = try start() }
        defer { symbolizer = asked }
        let places = offsets.compactMap { offset in file.object.address(of: offset).map { (offset, $0) } }
        let answers = try asked.symbols(at: places.map(\.1), in: file)
        for ((offset, _), answer) in zip(places, answers) { known[module]?.places[offset] = answer }
        changed.insert(module)
      } catch {
        problems.append(error.text)
        if error.isOfModule { refused.insert(module) } else { hasFailed = true }
      }
    }

    mutating func keep() {
      for module in changed {
        if let places = known[module] { cache?.save(places.bytes(of: module), of: module) }
      }
      changed = []
    }
  }
}
