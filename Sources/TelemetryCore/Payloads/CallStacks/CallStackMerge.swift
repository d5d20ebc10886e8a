import Aggregation

/// Merges the frames of recorded call stacks into the nodes of an outline.
struct CallStackMerge {
  private struct Key: Hashable {
    /// The parent node; -1 for a root.
    let parent: Int
    /// Index of the binary; -1 if unknown.
    let binary: Int
    let place: Place
  }

  private enum Place: Hashable {
    case offset(UInt64)
    case address(UInt64)
    case unknown
  }

  /// A frame whose descendants are still being read.
  private struct Open {
    /// `nil` for a frame that is left out.
    let node: Int?
    let samples: Int?
    /// Depth of the frame; functions that were inlined into one another have the same.
    let level: Int
    var below = 0
  }

  private(set) var nodes: [CallStackOutline.Node] = []
  private(set) var roots: [Int] = []
  private(set) var total = 0
  private(set) var leftOut = 0
  private let depthLimit: Int
  private var binaries: [RecordedCallStacks.Binary] = []
  private var binaryPlaces: [RecordedCallStacks.Binary: Int] = [:]
  private var places: [Key: Int] = [:]
  private var path: [Open] = []

  init(depthLimit: Int) {
    self.depthLimit = depthLimit
  }

  /// - Parameter beginsInnermost: True if a frame is above those that called it.
  mutating func add(_ recorded: RecordedCallStacks, beginsInnermost: Bool) {
    let table = recorded.binaries.map { place(of: $0) }
    for frame in recorded.frames {
      while let last = path.last, last.level >= max(0, frame.depth) { close() }
      // A frame more than one level below its predecessor counts as one level below.
      let level = path.last.map { $0.level + 1 } ?? 0
      let binary = frame.binary.flatMap { table.indices.contains($0) ? table[$0] : nil } ?? -1
      let symbols = (frame.symbols ?? []).map(Optional.some)
      let lines = symbols.isEmpty ? [nil] : beginsInnermost ? symbols : symbols.reversed()
      for symbol in lines {
        let node = node(of: frame, symbol, in: binary)
        if node == nil { leftOut = leftOut.addingSaturated(1) }
        path.append(Open(node: node, samples: frame.samples, level: level))
      }
    }
    while !path.isEmpty { close() }
  }

  /// Closes the deepest open frame once all its descendants are known.
  private mutating func close() {
    guard let frame = path.popLast() else { return }
    // A frame without samples has the sum of its subframes, or one if there are none.
    let count = max(0, frame.samples ?? max(1, frame.below))
    if let node = frame.node {
      nodes[node].total = nodes[node].total.addingSaturated(count)
      nodes[node].own = nodes[node].own.addingSaturated(max(0, count - frame.below))
    }
    if path.isEmpty {
      total = total.addingSaturated(count)
    } else {
      path[path.count - 1].below = path[path.count - 1].below.addingSaturated(count)
    }
  }

  private mutating func place(of binary: RecordedCallStacks.Binary) -> Int {
    if let place = binaryPlaces[binary] { return place }
    binaries.append(binary)
    binaryPlaces[binary] = binaries.count - 1
    return binaries.count - 1
  }

  /// The node of a frame below the open ones; `nil` if the tree is full.
  private mutating func node(
    of frame: RecordedCallStacks.Frame, _ symbol: RecordedCallStacks.Symbol?, in binary: Int
  ) -> Int? {
    guard path.count < depthLimit else { return nil }
    var parent = -1
    if let above = path.last {
      guard let node = above.node else { return nil }
      parent = node
    }
    let place = frame.offset.map(Place.offset) ?? frame.address.map(Place.address) ?? .unknown
    let key = Key(parent: parent, binary: binary, place: place)
    if let node = places[key] { return node }
    guard nodes.count < CallStackOutline.nodeLimit else { return nil }
    let node = nodes.count
    let words = Self.words(of: place, symbol)
    let binaryName = name(binary)
    nodes.append(
      CallStackOutline.Node(
        id: id(of: key), depth: path.count, name: binaryName.isEmpty ? words : binaryName + " " + words))
    places[key] = node
    if parent < 0 { roots.append(node) } else { nodes[parent].children.append(node) }
    return node
  }

  private func name(_ binary: Int) -> String {
    binaries.indices.contains(binary) ? binaries[binary].name : ""
  }

  /// The function with its file and line, or else the place in the program.
  private static func words(of place: Place, _ symbol: RecordedCallStacks.Symbol?) -> String {
    if let words = symbol?.words { return words }
    return switch place {
    case .offset(let offset): "+0x" + String(offset, radix: 16)
    case .address(let address): "0x" + String(address, radix: 16)
    case .unknown: "?"
    }
  }

  /// Depends only on the path of the node, not on the rest of the tree.
  private func id(of key: Key) -> CallStackOutline.ID {
    var members = [ContentDigest(word: key.parent < 0 ? 0 : nodes[key.parent].id, kind: .unsigned)]
    if binaries.indices.contains(key.binary) {
      members += [ContentDigest(binaries[key.binary].name), ContentDigest(binaries[key.binary].uuid)]
    }
    switch key.place {
    case .offset(let offset): members.append(ContentDigest(word: offset, kind: .unsigned))
    case .address(let address): members.append(ContentDigest(word: address, kind: .integer))
    case .unknown: members.append(ContentDigest(word: 0, kind: .null))
    }
    return ContentDigest(elements: members).words.low
  }
}
