import Codecs

@testable import JSONLines

/// Checks of the file in which a tail keeps its positions.
enum PositionChecks {
  /// An accepted value comes back the same once written again, whether or not the checksum was right.
  static func positions(_ input: UnsafeRawBufferPointer) -> String? {
    let sum = String(FNV1a.hash(input), radix: 16)
    for bytes in [Array(input), Array(input) + "end \(sum)\n".utf8] {
      guard let file = PositionFile.decoded(bytes) else { continue }
      guard PositionFile.decoded(file.encoded) == file else { return "\(file) does not come back" }
    }
    return nil
  }
}
