/// The call stacks of a diagnostic as they are recorded: one list of frames, each behind the one that it is below.
///
/// Not nested as Apple writes them: readers of JSON go down only so far, and a list can be read in one pass. Of the threads
/// only those to blame are kept, where the system says which; of their frames the heaviest, in their order.
public struct RecordedCallStacks: Codable, Hashable, Sendable {
  /// The most frames of a diagnostic.
  public static let frameLimit = 4_096
  /// How deep frames nest at most.
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
    /// The place of its program in ``RecordedCallStacks/binaries``, nil where that is not known.
    public let binary: Int?
    /// How many frames it is below; 0 begins a stack.
    public let depth: Int
    /// The offset into the program's text; see ``CallStackFrame/textOffset``.
    public let offset: UInt64?
    /// In how many samples it was seen, those below it included; nil where no samples were taken.
    public let samples: Int?

    package init(address: UInt64?, binary: Int?, depth: Int, offset: UInt64?, samples: Int?) {
      (self.address, self.offset) = (address, offset)
      (self.binary, self.depth, self.samples) = (binary, depth, samples)
    }
  }

  /// The programs and libraries that the frames are in.
  public let binaries: [Binary]
  /// The frames, each behind the one it is below.
  public let frames: [Frame]
  /// How many frames of the stacks were left out.
  public let framesLeftOut: Int
  /// True if each stack is that of one thread.
  public let perThread: Bool
  /// How many stacks were left out, of threads that are not to blame.
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

/// Gathers the binaries of frames, each once.
private struct BinaryTable {
  /// The most bytes of one name.
  private static let nameLimit = 256
  /// The most bytes of all names in JSON; frames of further binaries have none.
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
    // Six bytes for each that needs an escape, and what is around.
    let room = 6 * (binary.name.utf8.count + binary.uuid.utf8.count) + 24
    guard size + room <= Self.sizeLimit else { return nil }
    size += room
    binaries.append(binary)
    places[binary] = binaries.count - 1
    return binaries.count - 1
  }
}
