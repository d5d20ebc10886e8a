import TelemetryCore

@testable import Symbolication

/// Checks of the readers of files with symbols.
enum SymbolChecks {
  /// The bytes as a program, as a zip archive, and as an answer of `llvm-symbolizer`.
  static func symbols(_ input: UnsafeRawBufferPointer) -> String? {
    let file = HeldBytes(bytes: Array(input))
    for build in ObjectFile.all(in: file) {
      guard let address = build.address(of: 0x1234) else { continue }
      guard address &- build.base == 0x1234 else { return "\(address) is not behind \(build.base)" }
    }
    if let archive = ZipArchive(file) {
      for entry in archive.entries.prefix(8) {
        var made: UInt64 = 0
        let isWhole = archive.unpack(entry) { made += UInt64($0.count) }
        guard made <= entry.unpacked, !isWhole || made == entry.unpacked else {
          return "\(made) bytes unpacked, not \(entry.unpacked)"
        }
      }
    }
    let symbols = (try? SymbolizerText.symbols(in: file.bytes)) ?? []
    return symbols.contains { $0.function.isEmpty && $0.file.isEmpty } ? "a symbol without a name" : nil
  }

  private struct HeldBytes: ObjectBytes {
    let bytes: [UInt8]

    var size: UInt64 { UInt64(bytes.count) }

    func read(_ range: Range<UInt64>) -> [UInt8] {
      Array(bytes[Int(min(range.lowerBound, size))..<Int(min(range.upperBound, size))])
    }
  }
}
