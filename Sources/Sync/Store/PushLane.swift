/// The mutations of one kind and one operation that may be sent now, in order of creation.
///
/// They lie in blocks, each sorted and all of its numbers below those of the next: whatever the length, adding, removing
/// and finding cost two binary searches and moving at most one block.
struct PushLane: Sendable {
  /// A mutation by its number in the order of creation, and where it lies.
  struct Entry: Sendable {
    let sequence: Int
    let slot: PackedRecords.Slot
  }

  private static let blockSize = 256

  private var blocks: [[Entry]] = []

  /// Adds a mutation; nearly always it is the newest, but what waited behind another of its entity comes late.
  mutating func insert(_ entry: Entry) {
    let block = firstBlock(endingAfter: entry.sequence - 1)
    guard block < blocks.count else { return append(entry) }
    blocks[block].insert(entry, at: Self.firstIndex(in: blocks[block], after: entry.sequence - 1))
    if blocks[block].count > 2 * Self.blockSize {
      blocks.insert(Array(blocks[block][Self.blockSize...]), at: block + 1)
      blocks[block].removeSubrange(Self.blockSize...)
    }
  }

  /// Takes a mutation out.
  mutating func remove(_ sequence: Int) {
    let block = firstBlock(endingAfter: sequence - 1)
    guard block < blocks.count else { return }
    let index = Self.firstIndex(in: blocks[block], after: sequence - 1)
    guard index < blocks[block].count, blocks[block][index].sequence == sequence else { return }
    blocks[block].remove(at: index)
    if blocks[block].isEmpty { blocks.remove(at: block) }
  }

  /// At most `limit` mutations with greater numbers than `sequence`.
  func mutations(after sequence: Int, limit: Int) -> [Entry] {
    var found: [Entry] = []
    var block = firstBlock(endingAfter: sequence)
    guard block < blocks.count, limit > 0 else { return found }
    var index = Self.firstIndex(in: blocks[block], after: sequence)
    while block < blocks.count, found.count < limit {
      found += blocks[block][index...].prefix(limit - found.count)
      index = 0
      block += 1
    }
    return found
  }

  private mutating func append(_ entry: Entry) {
    if let last = blocks.indices.last, blocks[last].count < Self.blockSize {
      blocks[last].append(entry)
    } else {
      blocks.append([entry])
    }
  }

  private func firstBlock(endingAfter sequence: Int) -> Int {
    blocks.firstIndexOfSorted { ($0.last?.sequence ?? .min) > sequence }
  }

  private static func firstIndex(in block: [Entry], after sequence: Int) -> Int {
    block.firstIndexOfSorted { $0.sequence > sequence }
  }
}

extension Array {
  /// The first index whose element is `isBeyond`, where all such elements come last; `count` if there is none.
  fileprivate func firstIndexOfSorted(where isBeyond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
