/// The number of bytes in a kilobyte of a payload.
///
/// For memory, writes and transfers the system counts in units of 1,024 bytes and labels them `kB` (reported by
/// others who examined its code; Apple does not document it). Converting the measurement uses 1,000 and is 2.4 % too
/// low. Only disk space is counted in units of 1,000.
public enum ByteReading: String, Hashable, Sendable, CaseIterable {
  /// As counted by the system: a `kB` is 1,024 bytes.
  case stored
  /// As labelled: a `kB` is 1,000 bytes.
  case labelled

  /// Bytes per unit of a figure; `nil` if the unit is not one of bytes.
  ///
  /// - Parameter figure: A figure of a payload. In the disk space section a `kB` is always 1,000 bytes.
  public func bytesPerUnit(of figure: PayloadFigure) -> Double? {
    bytes(perUnit: figure.unit, of: figure.name)
  }

  /// The same for a recorded figure, by its unit and name.
  package func bytes(perUnit unit: String, of figure: String) -> Double? {
    switch unit {
    case PayloadUnit.bytes.word: 1
    case PayloadUnit.kilobytes.word:
      self == .stored && !figure.hasPrefix(PayloadFigure.diskSpace) ? 1024 : 1000
    default: nil
    }
  }
}
