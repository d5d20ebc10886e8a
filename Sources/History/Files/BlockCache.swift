/// The blocks that were decoded last, of all files of a history together, in bounded memory.
///
/// Belongs to one thread.
package final class BlockCache {
  /// Bytes of decoded blocks that are kept.
  static let limit = 5 << 20

  struct Key: Hashable {
    let file: Int
    let number: Int
  }

  private var blocks: [Key: (block: DecodedBlock, use: UInt64)] = [:]
  /// The uses, oldest first; that of a block which was used again since is passed over.
  private var uses: [(key: Key, use: UInt64)] = []
  private var oldest = 0
  private var next: UInt64 = 0
  private var bytes = 0
  private var files = 0

  package init() {}

  /// A number for the blocks of a file; one that is not used any more leaves its blocks to go as others come.
  func newFile() -> Int {
    files += 1
    return files
  }

  /// Blocks that are at hand.
  var count: Int { blocks.count }

  /// A block that is at hand.
  func block(_ key: Key) -> DecodedBlock? {
    guard let block = blocks[key]?.block else { return nil }
    use(key, block)
    return block
  }

  func keep(_ block: DecodedBlock, as key: Key) {
    remove(key)
    bytes += block.footprint
    use(key, block)
    while bytes > Self.limit, blocks.count > 1, let key = leastRecent() { remove(key) }
  }

  func remove(_ key: Key) {
    guard let old = blocks.removeValue(forKey: key) else { return }
    bytes -= old.block.footprint
  }

  private func use(_ key: Key, _ block: DecodedBlock) {
    next &+= 1
    blocks[key] = (block, next)
    uses.append((key, next))
    // Most of the list may be of blocks that were used again.
    guard uses.count - oldest > 2 * blocks.count + 64 else { return }
    uses = uses[oldest...].filter { blocks[$0.key]?.use == $0.use }
    oldest = 0
  }

  private func leastRecent() -> Key? {
    while oldest < uses.count {
      let (key, use) = uses[oldest]
      if blocks[key]?.use == use { return key }
      oldest += 1
    }
    return nil
  }
}
