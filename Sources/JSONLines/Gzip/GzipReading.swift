import Essentials
import Platform

/// Walks over the members of a gzip file, the padding between them and trailing data.
struct GzipReading {
  /// Number of packed bytes consumed.
  private(set) var packed: UInt64 = 0
  /// Number of unpacked bytes.
  private(set) var unpacked: UInt64 = 0
  /// Number of unpacked bytes in members whose checksums match.
  private var sound: UInt64 = 0
  private var isInMember = false
  private var damage: UInt64?
  private(set) var isDone = false
  private let inflater: Inflater
  private let stopsAtBlocks: Bool

  /// - Parameters:
  ///   - start: Offset in the file: 0, or the end of a member.
  ///   - stopsAtBlocks: True to end each ``take(_:into:)`` after a block.
  init(_ inflater: Inflater, from start: UInt64 = 0, stopsAtBlocks: Bool = false) {
    self.inflater = inflater
    self.stopsAtBlocks = stopsAtBlocks
    packed = start
  }

  /// True if the next byte starts a member, or is the end of the file.
  var isBetweenMembers: Bool { !isInMember }

  /// Unpacks the bytes at ``packed`` as far as they fit into the buffer; pass none at the end of the file.
  ///
  /// - Returns: The number of unpacked bytes; if the buffer is full, there may be more without more input.
  mutating func take(
    _ input: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) throws(GunzipFailure) -> Int {
    if packed == 0, !input.starts(with: Gunzip.magic) { throw .notGzip }
    guard isInMember || beginsMember(&input) else { return 0 }
    let (taken, made, outcome) = inflater.step(input, into: room, stopsAtBlocks: stopsAtBlocks)
    let isStuck = taken == 0 && made == 0 && !input.isEmpty && inflater.bitsAtBoundary == nil
    pass(taken, of: &input)
    unpacked += UInt64(made)
    switch outcome {
    case .goesOn: if isStuck { end(isDamaged: true) }
    case .memberEnded:
      isInMember = false
      sound = unpacked
      inflater.restart()
    case .damaged: end(isDamaged: true)
    case .outOfMemory: throw .cannotRead(.other(ENOMEM))
    }
    return made
  }

  /// Skips zeros, which pad the space between members and after the last one.
  private mutating func beginsMember(_ input: inout UnsafeRawBufferPointer) -> Bool {
    pass(input.firstIndex { $0 != 0 } ?? input.count, of: &input)
    guard let first = input.first else { return false }
    isInMember = first == Gunzip.magic[0]
    if !isInMember { end(isDamaged: true) }
    return isInMember
  }

  private mutating func pass(_ count: Int, of input: inout UnsafeRawBufferPointer) {
    packed += UInt64(count)
    input = UnsafeRawBufferPointer(rebasing: input.dropFirst(count))
  }

  /// Ends reading: nothing follows ``packed``, or nothing that can be unpacked.
  mutating func end(isDamaged: Bool = false) {
    isDone = true
    if isDamaged || isInMember { damage = packed }
  }

  /// The result, once reading is done.
  var result: UnpackedFile {
    get throws(GunzipFailure) {
      guard let damage else { return UnpackedFile(bytes: unpacked) }
      if unpacked == 0 { throw .damaged(at: damage) }
      return UnpackedFile(bytes: unpacked, damage: GzipDamage(position: damage, soundBytes: sound))
    }
  }
}
