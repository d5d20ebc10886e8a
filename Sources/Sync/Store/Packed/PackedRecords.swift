/// Records of any length, each under a number that is its own for as long as it lives.
///
/// They lie one behind the other in large blocks: an object for each record would take more room than most records do.
/// A record that outgrows its place moves to the end. When a fifth of all bytes belong to no record any more, the block
/// with most of them is emptied, so that a change costs in proportion to itself.
struct PackedRecords: Sendable {
  /// The number of a record.
  typealias Slot = UInt32

  private struct Place {
    static let free = Place(block: .max, offset: 0)

    var block: UInt32
    var offset: UInt32
  }

  private struct Block {
    var bytes: [UInt8] = []
    var deadBytes = 0
  }

  /// Before each record: its slot, how many bytes there are for it, and its word.
  private enum Header {
    static let slot = 0
    static let capacity = 4
    static let word = 8
    static let size = 16
  }

  /// With the header of an array a whole number of the system's pages.
  private static let blockSize = (1 << 18) - 64

  private var blocks: [Block] = []
  private var places: [Place] = []
  private var freeSlots: [Slot] = []
  private var freeBlocks: [Int] = []
  /// The block that new records go to.
  private var last: Int?
  private var totalBytes = 0
  private var deadBytes = 0

  /// The numbers of all records.
  var slots: [Slot] {
    places.indices.compactMap { places[$0].block == Place.free.block ? nil : Slot(truncatingIfNeeded: $0) }
  }

  /// Adds a record, with a word that can be changed without writing the record again.
  mutating func insert(_ content: [UInt8], word: UInt64) -> Slot {
    let slot: Slot
    if let free = freeSlots.popLast() {
      slot = free
    } else {
      // More records than a slot can number need more memory than there is.
      slot = Slot(truncatingIfNeeded: places.count)
      places.append(.free)
    }
    place(slot, content[...], capacity: content.count, word: word)
    return slot
  }

  /// Puts another content in the place of a record; its word stays.
  mutating func replace(_ slot: Slot, by content: [UInt8]) {
    let place = places[Int(slot)]
    let capacity = capacity(at: place)
    // Much smaller content gives its room back.
    if content.count <= capacity, content.count >= capacity / 2 {
      let start = Int(place.offset) + Header.size
      blocks[Int(place.block)].bytes.withUnsafeMutableBytes { block in
        UnsafeMutableRawBufferPointer(rebasing: block[start..<start + content.count]).copyBytes(from: content)
      }
    } else {
      let word = self[word: slot]
      self.place(slot, content[...], capacity: content.count, word: word)
      abandon(place)
    }
  }

  /// Takes a record out.
  mutating func remove(_ slot: Slot) {
    let place = places[Int(slot)]
    places[Int(slot)] = .free
    freeSlots.append(slot)
    // An empty store costs nothing, however much there was.
    if freeSlots.count == places.count { self = PackedRecords() } else { abandon(place) }
  }

  /// The bytes of a record; there may be others behind them.
  func content(_ slot: Slot) -> ArraySlice<UInt8> {
    let place = places[Int(slot)]
    let start = Int(place.offset) + Header.size
    return blocks[Int(place.block)].bytes[start..<start + capacity(at: place)]
  }

  /// The word of a record.
  subscript(word slot: Slot) -> UInt64 {
    get {
      let place = places[Int(slot)]
      return blocks[Int(place.block)].bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: Int(place.offset) + Header.word, as: UInt64.self)
      }
    }
    set {
      let place = places[Int(slot)]
      blocks[Int(place.block)].bytes.withUnsafeMutableBytes {
        $0.storeBytes(of: newValue, toByteOffset: Int(place.offset) + Header.word, as: UInt64.self)
      }
    }
  }

  private func capacity(at place: Place) -> Int { capacity(at: Int(place.offset), in: Int(place.block)) }

  private func capacity(at offset: Int, in block: Int) -> Int {
    // A record with a block to itself may be longer than the number says.
    let size = blocks[block].bytes.count
    guard size <= Self.blockSize else { return size - Header.size }
    return blocks[block].bytes.withUnsafeBytes {
      Int($0.loadUnaligned(fromByteOffset: offset + Header.capacity, as: UInt32.self))
    }
  }

  private mutating func place(_ slot: Slot, _ content: ArraySlice<UInt8>, capacity: Int, word: UInt64) {
    let size = Header.size + capacity
    let block = block(with: size)
    places[Int(slot)] = Place(
      block: UInt32(truncatingIfNeeded: block), offset: UInt32(truncatingIfNeeded: blocks[block].bytes.count))
    withUnsafeBytes(of: slot) { blocks[block].bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt32(clamping: capacity)) { blocks[block].bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: word) { blocks[block].bytes.append(contentsOf: $0) }
    blocks[block].bytes.append(contentsOf: content)
    totalBytes += size
  }

  /// A block that has room for so many bytes at its end; what is larger than any gets one for itself.
  private mutating func block(with size: Int) -> Int {
    if let last, blocks[last].bytes.count + size <= Self.blockSize { return last }
    let index = freeBlocks.popLast() ?? blocks.endIndex
    if index == blocks.endIndex { blocks.append(Block()) }
    blocks[index].bytes.reserveCapacity(max(size, min(Self.blockSize, totalBytes)))
    if size <= Self.blockSize { last = index }
    return index
  }

  /// Counts the bytes of a record as no one's.
  private mutating func abandon(_ place: Place) {
    let block = Int(place.block)
    let size = Header.size + capacity(at: place)
    blocks[block].deadBytes += size
    deadBytes += size
    if blocks[block].deadBytes == blocks[block].bytes.count {
      release(block)
    } else if deadBytes > totalBytes / 5 + 4 * Self.blockSize {
      empty(blocks.indices.max { blocks[$0].deadBytes < blocks[$1].deadBytes } ?? block)
    }
  }

  private mutating func release(_ block: Int) {
    totalBytes -= blocks[block].bytes.count
    deadBytes -= blocks[block].deadBytes
    blocks[block] = Block()
    freeBlocks.append(block)
    if last == block { last = nil }
  }

  /// Moves what lives in a block to the end.
  private mutating func empty(_ block: Int) {
    if last == block { last = nil }
    let bytes = blocks[block].bytes
    var offset = 0
    while offset < bytes.count {
      let slot = bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: offset + Header.slot, as: Slot.self)
      }
      let capacity = capacity(at: offset, in: block)
      let start = offset + Header.size
      if Int(slot) < places.count, case let place = places[Int(slot)], place.block == block,
        place.offset == offset
      {
        self.place(slot, bytes[start..<start + capacity], capacity: capacity, word: self[word: slot])
      }
      offset = start + capacity
    }
    release(block)
  }
}
