public import Foundation
public import TelemetryCore

extension ByteReading {
  /// The bytes of an amount of memory, writes or transfers.
  ///
  /// ```swift
  /// ByteReading.stored.bytes(of: peak)  // 200,000 kB are 204,800,000 bytes
  /// ```
  ///
  /// - Parameter amount: As the payload has it. Only `kB` is written by systems; other units are taken as they are.
  public func bytes(of amount: Measurement<UnitInformationStorage>) -> Double {
    guard amount.unit == .kilobytes else { return amount.converted(to: .bytes).value }
    return amount.value * (self == .stored ? 1024 : 1000)
  }
}
