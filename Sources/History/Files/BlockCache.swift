/// The blocks that were decoded last, in bounded memory.
struct BlockCache {
  /// Bytes of decoded blocks that are kept.
  static let limit = 14 << 20

  private var blocks: [Int: DecodedBlock] = [:]
  /// The least recently used first.
  private var order: [Int] = []
  private var bytes = 0

  /// A block that is at hand.
  mutating func block(_ number: Int) -> DecodedBlock? {
    guard let block = blocks[number] else { return nil }
    order.removeAll { $0 == number }
    order.append(number)
    return block
  }

  mutating func keep(_ block: DecodedBlock) {
    remove(block.number)
    blocks[block.number] = block
    order.append(block.number)
    bytes += block.footprint
    while bytes > Self.limit, order.count > 1 { remove(order[0]) }
  }

  mutating func remove(_ number: Int) {
    guard let old = blocks.removeValue(forKey: number) else { return }
    bytes -= old.footprint
    order.removeAll { $0 == number }
  }

  mutating func removeAll() { self = BlockCache() }
}
