/// The most recently decoded blocks of all files of a history, in bounded memory.
///
/// Confined to one thread.
package final class BlockCache {
  /// Maximum bytes of decoded blocks.
  static let limit = 5 << 20

  struct Key: Hashable, Sendable {
    let file: Int
    let number: Int
  }

  private var blocks: [Key: DecodedBlock] = [:]
  private var order = UseOrder<Key>()
  private var bytes = 0
  private var files = 0

  package init() {}

  /// A number for the blocks of a file; blocks under a number no longer in use are evicted as others arrive.
  func newFile() -> Int {
    files += 1
    return files
  }

  /// Number of cached blocks.
  var count: Int { blocks.count }

  /// A cached block.
  func block(_ key: Key) -> DecodedBlock? {
    guard let block = blocks[key] else { return nil }
    order.use(key)
    return block
  }

  func keep(_ block: DecodedBlock, as key: Key) {
    remove(key)
    bytes += block.footprint
    blocks[key] = block
    order.use(key)
    while bytes > Self.limit, blocks.count > 1, let key = order.removeLeastRecent() { remove(key) }
  }

  func remove(_ key: Key) {
    guard let old = blocks.removeValue(forKey: key) else { return }
    bytes -= old.footprint
    order.remove(key)
  }
}
