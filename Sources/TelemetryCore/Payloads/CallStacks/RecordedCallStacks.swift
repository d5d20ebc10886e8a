/// The call stacks of a diagnostic as recorded: one list of frames, each after the one above it.
///
/// Apple nests frames, but JSON readers limit their depth, and a list can be read in one pass. If the system says
/// which threads are to blame, only those are kept; of their frames the heaviest, in their original order.
public struct RecordedCallStacks: Codable, Hashable, Sendable {
  /// Maximum number of frames of a diagnostic.
  public static let frameLimit = 4_096
  /// Maximum nesting depth of frames.
  public static let depthLimit = 256

  /// A program or a library.
  public struct Binary: Codable, Hashable, Sendable {
    /// The name; empty where the system leaves it out.
    public let name: String
    /// Its build; empty if unknown.
    public let uuid: String

    package init(name: String, uuid: String) {
      (self.name, self.uuid) = (name, uuid)
    }
  }

  /// A place in a program.
  public struct Frame: Codable, Hashable, Sendable {
    /// The address in memory.
    public let address: UInt64?
    /// Index of its program in ``RecordedCallStacks/binaries``; `nil` if unknown.
    public let binary: Int?
    /// Depth of the frame; 0 starts a stack.
    public let depth: Int
    /// The offset into the program's text; see ``CallStackFrame/textOffset``.
    public let offset: UInt64?
    /// Number of samples in which the frame was seen, including those below it; `nil` if no samples were taken.
    public let samples: Int?
    /// The functions at that place, inlined ones before those that they were inlined into; `nil` if unknown.
    public let symbols: [Symbol]?

    package init(
      address: UInt64?, binary: Int?, depth: Int, offset: UInt64?, samples: Int?, symbols: [Symbol]? = nil
    ) {
      (self.address, self.offset) = (address, offset)
      (self.binary, self.depth, self.samples) = (binary, depth, samples)
      self.symbols = symbols
    }
  }

  /// The programs and libraries of the frames.
  public let binaries: [Binary]
  /// The frames, each after the one above it.
  public let frames: [Frame]
  /// Number of frames left out of the stacks.
  public let framesLeftOut: Int
  /// True if each stack belongs to one thread.
  public let perThread: Bool
  /// Number of stacks left out because their threads are not to blame.
  public let stacksLeftOut: Int

  package init(
    binaries: [Binary], frames: [Frame], framesLeftOut: Int = 0, perThread: Bool = false,
    stacksLeftOut: Int = 0
  ) {
    (self.binaries, self.frames, self.perThread) = (binaries, frames, perThread)
    (self.framesLeftOut, self.stacksLeftOut) = (framesLeftOut, stacksLeftOut)
  }
}

extension RecordedCallStacks {
  /// The kept parts of a diagnostic's call stacks.
  package init(_ tree: CallStackTree) {
    let blamed = tree.callStacks.filter { $0.threadAttributed == true }
    let stacks = blamed.isEmpty ? tree.callStacks : blamed
    let flat = FlatCallStacks(stacks)
    var table = BinaryTable()
    frames = flat.heaviest(Self.frameLimit).map { node in
      Frame(
        address: node.frame.address, binary: table.place(of: node.frame), depth: node.depth,
        offset: node.frame.textOffset, samples: node.frame.sampleCount)
    }
    binaries = table.binaries
    framesLeftOut = flat.count - frames.count
    perThread = tree.callStackPerThread ?? false
    stacksLeftOut = tree.callStacks.count - stacks.count
  }
}

/// Collects the binaries of frames, each once.
private struct BinaryTable {
  /// Maximum bytes of one name.
  private static let nameLimit = 256
  /// Maximum bytes of all names as JSON; frames of further binaries have none.
  private static let sizeLimit = 64 << 10

  private(set) var binaries: [RecordedCallStacks.Binary] = []
  private var places: [RecordedCallStacks.Binary: Int] = [:]
  private var size = 0

  mutating func place(of frame: CallStackFrame) -> Int? {
    guard frame.binaryName != nil || frame.binaryUUID != nil else { return nil }
    let binary = RecordedCallStacks.Binary(
      name: (frame.binaryName ?? "").cut(to: Self.nameLimit),
      uuid: (frame.binaryUUID ?? "").cut(to: Self.nameLimit))
    if let place = places[binary] { return place }
    // Six bytes for each byte that needs an escape, plus the surrounding JSON.
    let room = 6 * (binary.name.utf8.count + binary.uuid.utf8.count) + 24
    guard size + room <= Self.sizeLimit else { return nil }
    size += room
    binaries.append(binary)
    places[binary] = binaries.count - 1
    return binaries.count - 1
  }
}
