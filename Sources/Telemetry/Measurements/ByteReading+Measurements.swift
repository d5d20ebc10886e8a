public import Foundation
public import TelemetryCore

extension ByteReading {
  /// The number of bytes in an amount of memory, writes or transfers.
  ///
  /// ```swift
  /// ByteReading.stored.bytes(of: peak)  // 200,000 kB are 204,800,000 bytes
  /// ```
  ///
  /// - Parameter amount: The amount in the payload. Systems write only `kB`; other units are converted as usual.
  public func bytes(of amount: Measurement<UnitInformationStorage>) -> Double {
    guard amount.unit == .kilobytes else { return amount.converted(to: .bytes).value }
    return amount.value * (self == .stored ? 1024 : 1000)
  }
}
