/// An input whose first bytes steer the check, so that the fuzzer finds by itself where to cut.
struct FuzzInput {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) {
    rest = bytes[...]
  }

  /// Takes one steering byte; 0 where the input is too short for it.
  mutating func steering() -> Int { rest.popFirst().map(Int.init) ?? 0 }

  /// The rest for the reader.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: rest) }
}

extension UnsafeRawBufferPointer {
  /// Calls `body` with pieces of the sizes that come round again and again.
  func forEachPiece(sizes: [Int], _ body: (UnsafeRawBufferPointer) -> Void) {
    var position = 0
    var turn = 0
    while position < count {
      let end = position + Swift.min(Swift.max(1, sizes[turn % sizes.count]), count - position)
      body(UnsafeRawBufferPointer(rebasing: self[position..<end]))
      position = end
      turn += 1
    }
  }
}
