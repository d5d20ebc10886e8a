/// The number of bytes in a kilobyte of a payload.
///
/// For memory, writes and transfers the system counts in units of 1,024 bytes and labels them `kB` (as others report of
/// its code; Apple does not say). Converting the measurement uses 1,000 and is 2.4 % too low. Only disk space is
/// counted in units of 1,000.
public enum ByteReading: String, Hashable, Sendable, CaseIterable {
  /// As the system counts: a `kB` is 1,024 bytes.
  case stored
  /// As it is written: a `kB` is 1,000 bytes.
  case labelled

  /// How many bytes the unit of a figure is; nil where it is none of bytes.
  ///
  /// - Parameter figure: A figure of a payload. Of the section of disk space a `kB` is always 1,000 bytes.
  public func bytesPerUnit(of figure: PayloadFigure) -> Double? {
    bytes(perUnit: figure.unit, of: figure.name)
  }

  /// The same for a figure as it was recorded: its unit and its name.
  package func bytes(perUnit unit: String, of figure: String) -> Double? {
    switch unit {
    case PayloadUnit.bytes.word: 1
    case PayloadUnit.kilobytes.word:
      self == .stored && !figure.hasPrefix(PayloadFigure.diskSpace) ? 1024 : 1000
    default: nil
    }
  }
}
