import Essentials

/// Finds a metric by the object that names it, with the bytes around it that its lines have in common:
/// `{"metric":{…},"timestamp":`.
///
/// A head is parsed once; after that, a line whose head has the same bytes belongs to the same metric. The parts before
/// and behind a head are those of the order in which it was found, so it is not used in another. An open hash
/// table with linear probing that keeps at most `capacity` heads; lines with any other head take the slower path.
struct HeadTable: Sendable {
  /// Maximum number of heads, so that a file full of new names cannot exhaust memory.
  static let capacity = 1 << 14
  /// Maximum size of all heads together, in bytes.
  private static let byteLimit = 4 << 20
  /// Minimum length of a head, because hashes use its first 51 bytes; nearly all are longer.
  static let minimumCount = 51
  /// Maximum length of a head.
  static let longest = 1 << 16 - 1

  /// Maximum heads per hash, so that a lookup stays short whatever the names are.
  private static let sharerLimit = 8

  struct Slot {
    var hash: UInt64 = 0
    var start: UInt32 = 0
    var count: UInt32 = 0
    var metric = MetricID(rawValue: -1)
    var order = LineShape.Order.canonical
  }

  /// Marks a prefix in `prefixes` that several heads share.
  static let manyHeads = MetricID(rawValue: -2)

  private(set) var count = 0
  /// Both tables grow with their content: a dashboard follows thousands of files with one or two metrics each.
  private var slots = [Slot](repeating: Slot(), count: 16)
  /// The same heads keyed by their first bytes, to find one before its end is known.
  private var prefixes = [Slot](repeating: Slot(), count: 16)
  private var bytes: [UInt8] = []

  /// The pointers that a lookup needs, without the array bounds checks.
  struct Pointers {
    let slots: UnsafePointer<Slot>
    let prefixes: UnsafePointer<Slot>
    let mask: UInt64
    let bytes: UnsafeRawPointer
  }

  /// Lends the table's pointers for lookups.
  func withPointers<Result>(_ body: (Pointers) -> Result) -> Result? {
    bytes.withUnsafeBytes { bytes in
      slots.withUnsafeBufferPointer { slots in
        prefixes.withUnsafeBufferPointer { prefixes -> Result? in
          guard let base = bytes.baseAddress, let slots = slots.baseAddress, let first = prefixes.baseAddress
          else { return nil }
          return body(
            Pointers(slots: slots, prefixes: first, mask: UInt64(prefixes.count &- 1), bytes: base))
        }
      }
    }
  }

  /// Remembers a head; does nothing when the table is full.
  mutating func insert(_ head: UnsafeRawBufferPointer, _ order: LineShape.Order, metric: MetricID) {
    guard let base = head.baseAddress, head.count >= Self.minimumCount, head.count <= Self.longest,
      count < Self.capacity, bytes.count < Self.byteLimit
    else { return }
    if count * 2 >= slots.count { grow() }
    let hash = Self.hash(base, count: head.count)
    guard sharers(of: hash) < Self.sharerLimit else { return }
    let slot = Slot(
      hash: hash, start: UInt32(bytes.count), count: UInt32(head.count), metric: metric, order: order)
    bytes.append(contentsOf: head)
    Self.place(slot, in: &slots)
    placePrefix(slot, hash: Self.prefixHash(base))
    count += 1
  }

  private mutating func placePrefix(_ slot: Slot, hash: UInt64) {
    var slot = slot
    slot.hash = hash
    let mask = prefixes.count - 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while prefixes[index].count != 0, prefixes[index].hash != hash { index = (index + 1) & mask }
    if prefixes[index].count != 0 { slot.metric = Self.manyHeads }
    prefixes[index] = slot
  }

  /// Number of heads with exactly this hash; names that differ only in the middle share one.
  private func sharers(of hash: UInt64) -> Int {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: hash) & mask
    var found = 0
    while slots[index].count != 0 {
      if slots[index].hash == hash { found += 1 }
      index = (index + 1) & mask
    }
    return found
  }

  private static func place(_ slot: Slot, in slots: inout [Slot]) {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: slot.hash) & mask
    while slots[index].count != 0 { index = (index + 1) & mask }
    slots[index] = slot
  }

  private mutating func grow() {
    for path in [\HeadTable.slots, \HeadTable.prefixes] {
      let old = self[keyPath: path]
      var new = [Slot](repeating: Slot(), count: old.count * 2)
      for slot in old where slot.count != 0 { Self.place(slot, in: &new) }
      self[keyPath: path] = new
    }
  }

  /// A hash of a head's bytes 19 to 51, which follow `"bucket":` or `"name":`.
  @inline(__always)
  static func prefixHash(_ head: UnsafeRawPointer) -> UInt64 {
    let first = mix(word(head, 19), word(head, 27))
    let second = mix(word(head, 35), word(head, 43))
    let hash = first &+ (second &<< 1 | second &>> 63)
    return hash ^ hash &>> 32
  }

  /// A hash of the bytes that usually distinguish heads: the first 32 of bucket and name, the last 16 of the name (for
  /// types of up to six letters), the last of the type.
  ///
  /// Always the same seven words, without a loop: the length of the next head is unpredictable.
  ///
  /// - Parameter count: At least `minimumCount`.
  @inline(__always)
  static func hash(_ head: UnsafeRawPointer, count: Int) -> UInt64 {
    let nameEnd = max(0, count &- 58)
    let a = mix(word(head, 19), word(head, 27))
    let b = mix(word(head, 35), word(head, 43))
    let c = mix(word(head, nameEnd), word(head, nameEnd &+ 8))
    let d = mix(word(head, count &- 22), UInt64(truncatingIfNeeded: count))
    let hash = (a &+ (b &<< 1 | b &>> 63)) ^ (c &+ (d &<< 3 | d &>> 61))
    return hash ^ hash &>> 32
  }

  @inline(__always)
  private static func word(_ head: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    head.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = (first ^ 0x2D35_8DCC_AA6C_78A5).multipliedFullWidth(by: second ^ 0x8BB8_4B93_962E_ACC9)
    return product.high ^ product.low
  }
}

extension HeadTable.Pointers {
  /// The head of a line, if its first bytes already identify it; `manyHeads` if several known heads begin with them.
  ///
  /// - Parameter room: Number of readable bytes of the line, at least `HeadTable.minimumCount`.
  @inline(__always)
  func head(
    of line: UnsafeRawPointer, _ order: LineShape.Order, room: Int
  ) -> (metric: MetricID, count: Int)? {
    let hash = HeadTable.prefixHash(line)
    var index = hash & mask
    while true {
      let slot = prefixes[Int(truncatingIfNeeded: index)]
      if slot.hash == hash, slot.count != 0 {
        let count = Int(slot.count)
        if slot.metric == HeadTable.manyHeads { return (slot.metric, 0) }
        guard slot.order == order, count <= room, isSame(line, bytes + Int(slot.start), count)
        else { return nil }
        return (slot.metric, count)
      }
      if slot.count == 0 { return nil }
      index = (index &+ 1) & mask
    }
  }

  /// The metric with exactly this head; `nil` if it was not seen yet.
  ///
  /// - Parameter count: At least `HeadTable.minimumCount`.
  @inline(__always)
  func metric(of head: UnsafeRawPointer, _ order: LineShape.Order, count: Int) -> MetricID? {
    let hash = HeadTable.hash(head, count: count)
    var index = hash & mask
    while true {
      let slot = slots[Int(truncatingIfNeeded: index)]
      if slot.count == 0 { return nil }
      if slot.hash == hash, slot.order == order, Int(slot.count) == count,
        isSame(head, bytes + Int(slot.start), count)
      {
        return slot.metric
      }
      index = (index &+ 1) & mask
    }
  }

  @inline(__always)
  private func isSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
    // Compares sixteen bytes at a time; a shorter head compares its last sixteen repeatedly. No branch for the usual
    // lengths.
    let last = count &- 16
    var difference = Self.difference(left, right, 0)
    difference |= Self.difference(left, right, 16)
    difference |= Self.difference(left, right, 32)
    difference |= Self.difference(left, right, min(48, last))
    difference |= Self.difference(left, right, min(64, last))
    difference |= Self.difference(left, right, min(80, last))
    difference |= Self.difference(left, right, last)
    if count > 112 { return difference == SIMD2() && memcmp(left, right, count) == 0 }
    return difference == SIMD2()
  }

  @inline(__always)
  private static func difference(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ offset: Int
  ) -> SIMD2<UInt64> {
    left.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
      ^ right.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
  }
}
