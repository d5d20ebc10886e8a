import Essentials

extension String {
  /// Formats numbers like C's `printf`.
  package static func printed(_ format: String, _ values: any CVarArg...) -> String {
    let length = withVaList(values) { Int(vsnprintf(nil, 0, format, $0)) }
    return String(unsafeUninitializedCapacity: Swift.max(0, length) + 1) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { bytes in
        Swift.max(0, Int(withVaList(values) { vsnprintf(bytes.baseAddress, bytes.count, format, $0) }))
      }
    }
  }
}
