import Essentials
import Platform

/// Walks over the members of a gzip file, the padding between them and what may follow.
struct GzipReading {
  /// How far the packed file was taken.
  private(set) var packed: UInt64 = 0
  /// How many bytes came out.
  private(set) var unpacked: UInt64 = 0
  /// How many of them belong to members whose checksums fit.
  private var sound: UInt64 = 0
  private var isInMember = false
  private var damage: UInt64?
  private(set) var isDone = false
  private let inflater: Inflater
  private let stopsAtBlocks: Bool

  /// - Parameters:
  ///   - start: Where in the file it begins: at its start, or behind one of its members.
  ///   - stopsAtBlocks: Whether each ``take(_:into:)`` ends behind a block.
  init(_ inflater: Inflater, from start: UInt64 = 0, stopsAtBlocks: Bool = false) {
    self.inflater = inflater
    self.stopsAtBlocks = stopsAtBlocks
    packed = start
  }

  /// True if the next byte begins a member, or is the file's end.
  var isBetweenMembers: Bool { !isInMember }

  /// Unpacks the bytes at ``packed`` as far as there is room for the result; none at the end of the file.
  ///
  /// - Returns: The number of unpacked bytes; if the room is full, there may be more without more input.
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

  /// Passes over zeros, which stand between members and behind the last one where a file was padded.
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

  /// Nothing follows ``packed``, or nothing that could be unpacked.
  mutating func end(isDamaged: Bool = false) {
    isDone = true
    if isDamaged || isInMember { damage = packed }
  }

  /// The unpacked file, once it is done.
  var result: UnpackedFile {
    get throws(GunzipFailure) {
      guard let damage else { return UnpackedFile(bytes: unpacked) }
      if unpacked == 0 { throw .damaged(at: damage) }
      return UnpackedFile(bytes: unpacked, damage: GzipDamage(position: damage, soundBytes: sound))
    }
  }
}
