/// Finds a metric by the bytes that begin its lines: `{"metric":{…},"timestamp":`.
///
/// A head is taken apart once; after that a line whose head has the same bytes belongs to the same metric. An open
/// hash table with linear probing; at most `capacity` heads are kept, lines of any further are read the longer way.
struct HeadTable: Sendable {
  /// How many heads are kept at most, so that a file of ever new names cannot take all memory.
  static let capacity = 1 << 18
  /// `{"metric":{` and `},"timestamp":`, which every head has.
  static let prefixCount = 11
  static let suffixCount = 14
  /// A head is at least `{"metric":{"name":"","valueTypeString":""},"timestamp":` long.
  static let minimumCount = 55

  struct Slot {
    var hash: UInt64 = 0
    var start: UInt32 = 0
    var count: UInt32 = 0
    var metric = MetricID(rawValue: -1)
  }

  private(set) var count = 0
  private var slots = [Slot](repeating: Slot(), count: 1024)
  private var bytes: [UInt8] = []

  /// What a lookup needs, without the arrays' own checks.
  struct Pointers {
    let slots: UnsafePointer<Slot>
    let mask: UInt64
    let bytes: UnsafeRawPointer
  }

  /// Lends the table for lookups.
  func withPointers<Result>(_ body: (Pointers) -> Result) -> Result? {
    bytes.withUnsafeBytes { bytes in
      slots.withUnsafeBufferPointer { slots -> Result? in
        guard let base = bytes.baseAddress, let first = slots.baseAddress else { return nil }
        return body(Pointers(slots: first, mask: UInt64(slots.count &- 1), bytes: base))
      }
    }
  }

  /// Remembers a head; does nothing when the table is full.
  mutating func insert(_ head: UnsafeRawBufferPointer, metric: MetricID) {
    guard let base = head.baseAddress, head.count >= Self.minimumCount, head.count < 1 << 16,
      count < Self.capacity, bytes.count < 1 << 30
    else { return }
    if count * 2 >= slots.count { grow() }
    let slot = Slot(
      hash: Self.hash(base, count: head.count), start: UInt32(bytes.count), count: UInt32(head.count),
      metric: metric)
    bytes.append(contentsOf: head)
    place(slot)
    count += 1
  }

  private mutating func place(_ slot: Slot) {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: slot.hash) & mask
    while slots[index].count != 0 { index = (index + 1) & mask }
    slots[index] = slot
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.count != 0 { place(slot) }
  }

  /// A hash of a head's distinguishing bytes, sixteen at a time.
  ///
  /// - Parameter count: At least `minimumCount`.
  @inline(__always)
  static func hash(_ head: UnsafeRawPointer, count: Int) -> UInt64 {
    let end = count &- suffixCount
    var position = prefixCount
    var hash = UInt64(truncatingIfNeeded: count)
    while position &+ 16 < end {
      hash = mix(hash, head, position)
      position &+= 16
    }
    return mix(hash, head, end &- 16)
  }

  @inline(__always)
  private static func mix(_ hash: UInt64, _ head: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    let first = head.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ 0x2D35_8DCC_AA6C_78A5
    let second = head.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self) ^ 0x8BB8_4B93_962E_ACC9
    let product = first.multipliedFullWidth(by: second)
    return (hash &<< 5 | hash &>> 59) ^ product.high ^ product.low
  }
}

extension HeadTable.Pointers {
  /// The metric whose head these bytes are, `nil` if it was not met.
  ///
  /// - Parameter count: At least `HeadTable.minimumCount`.
  @inline(__always)
  func metric(of head: UnsafeRawPointer, count: Int) -> MetricID? {
    let hash = HeadTable.hash(head, count: count)
    var index = hash & mask
    while true {
      let slot = slots[Int(truncatingIfNeeded: index)]
      if slot.count == 0 { return nil }
      if slot.hash == hash, Int(slot.count) == count, isSame(head, bytes + Int(slot.start), count) {
        return slot.metric
      }
      index = (index &+ 1) & mask
    }
  }

  @inline(__always)
  private func isSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
    var offset = 0
    var difference: UInt64 = 0
    while offset &+ 8 <= count {
      difference |=
        left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        ^ right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    let tail = count &- 8
    difference |=
      left.loadUnaligned(fromByteOffset: tail, as: UInt64.self)
      ^ right.loadUnaligned(fromByteOffset: tail, as: UInt64.self)
    return difference == 0
  }
}
