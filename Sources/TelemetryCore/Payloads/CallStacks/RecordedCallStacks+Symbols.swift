extension RecordedCallStacks {
  /// A place in the source of a program.
  public struct Symbol: Codable, Hashable, Sendable {
    /// The function; empty if unknown.
    public let function: String
    /// The source file as the compiler was given it; empty if unknown.
    public let file: String
    /// The line; `nil` if unknown.
    public let line: Int?

    package init(function: String, file: String = "", line: Int? = nil) {
      (self.function, self.file, self.line) = (function, file, line)
    }
  }
}

extension RecordedCallStacks.Frame {
  /// The innermost function at that place; `nil` if none is known.
  package var function: String? { symbols?.first { !$0.function.isEmpty }?.function }
}

/// A place to look up in the debug symbols of a build.
package struct SymbolPlace: Hashable, Sendable {
  /// The build's UUID, as the payload writes it.
  package let uuid: String
  /// The offset into the program's text: of the instruction itself, not of the one after a call.
  package let offset: UInt64

  package init(uuid: String, offset: UInt64) {
    (self.uuid, self.offset) = (uuid, offset)
  }
}

/// Names the functions of call stacks.
///
/// ```swift
/// let named = symbols.symbolicated(diagnostic.callStacks, of: "crashDiagnostics.callStackTree")
/// let top = named.frames.first?.function
/// ```
package protocol CallStackSymbols: Sendable {
  /// The call stacks with the functions that are known; those of a record stay as they are.
  ///
  /// - Parameter kind: The name of the metric of the diagnostic.
  func symbolicated(_ stacks: RecordedCallStacks, of kind: String) -> RecordedCallStacks
  /// Keeps what was looked up for the next run.
  func keep()
  /// The first thing that went wrong, as a sentence.
  var problem: String? { get }
}

extension RecordedCallStacks {
  /// Maximum bytes of the functions of a record, so that its line stays below a megabyte.
  static let symbolLimit = 160 << 10
  /// Maximum functions at one place, and bytes of one name.
  private static let (chainLimit, nameLimit) = (32, 1_024)

  /// True for kinds whose stacks begin with the frame that failed; others begin with the start of a thread.
  package static func beginsInnermost(_ kind: String) -> Bool { kind.hasPrefix("crashDiagnostics") }

  /// The place to look up for each frame; `nil` if its build or its offset is unknown, or if it has its functions.
  ///
  /// A frame that called another one has the address of the instruction after the call, which may belong to another
  /// line, or even to the next function.
  package func places(of kind: String) -> [SymbolPlace?] {
    let beginsInnermost = Self.beginsInnermost(kind)
    return frames.indices.map { index in
      let frame = frames[index]
      guard frame.symbols == nil, let offset = frame.offset, let binary = frame.binary,
        binaries.indices.contains(binary), !binaries[binary].uuid.isEmpty
      else { return nil }
      let isLeaf = index + 1 == frames.count || frames[index + 1].depth <= frame.depth
      let isInnermost = beginsInnermost ? frame.depth <= 0 : isLeaf
      return SymbolPlace(uuid: binaries[binary].uuid, offset: isInnermost ? offset : max(1, offset) - 1)
    }
  }

  /// The call stacks with functions for some of their frames.
  ///
  /// - Parameter found: The functions of each frame; `nil` or none leaves a frame as it is.
  package func naming(_ found: [[Symbol]?]) -> RecordedCallStacks {
    guard found.contains(where: { $0?.isEmpty == false }) else { return self }
    return replacingFrames(
      zip(frames, found).map { frame, found in
        guard let found, !found.isEmpty else { return frame }
        let symbols = found.prefix(Self.chainLimit).map { symbol in
          Symbol(
            function: symbol.function.cut(to: Self.nameLimit), file: symbol.file.cut(to: Self.nameLimit),
            line: symbol.line)
        }
        return frame.with(symbols)
      })
  }

  /// The call stacks as they may be recorded: frames beyond ``symbolLimit`` lose their functions.
  func limitingSymbols() -> RecordedCallStacks {
    var left = Self.symbolLimit
    return replacingFrames(
      frames.map { frame in
        guard let symbols = frame.symbols else { return frame }
        for symbol in symbols { left -= symbol.recordedSize }
        return left < 0 ? frame.with(nil) : frame
      })
  }

  private func replacingFrames(_ frames: [Frame]) -> RecordedCallStacks {
    RecordedCallStacks(
      binaries: binaries, frames: frames, framesLeftOut: framesLeftOut, perThread: perThread,
      stacksLeftOut: stacksLeftOut)
  }
}

extension RecordedCallStacks.Frame {
  fileprivate func with(_ symbols: [RecordedCallStacks.Symbol]?) -> Self {
    Self(address: address, binary: binary, depth: depth, offset: offset, samples: samples, symbols: symbols)
  }
}

extension RecordedCallStacks.Symbol {
  /// Maximum bytes of its JSON.
  fileprivate var recordedSize: Int {
    [function, file].reduce(64) { size, text in text.utf8.reduce(size) { $0 + Self.escapedSize($1) } }
  }

  private static func escapedSize(_ byte: UInt8) -> Int {
    switch byte {
    case 0..<0x20: 6
    case UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "\\"): 2
    default: 1
    }
  }

  /// `checkout(), Cart.swift:31`, as far as known; `nil` if neither function nor file is.
  package var words: String? {
    let name = file.split(separator: "/").last.map(String.init) ?? ""
    let place = name.isEmpty ? "" : line.map { "\(name):\($0)" } ?? name
    let words = [function, place].filter { !$0.isEmpty }.joined(separator: ", ")
    return words.isEmpty ? nil : words
  }
}
