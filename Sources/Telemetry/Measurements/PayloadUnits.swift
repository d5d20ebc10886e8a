public import Foundation
import TelemetryCore

extension Unit {
  /// Thousands of CPU instructions.
  public static var kiloinstructions: Unit { SymbolUnit.kiloinstructions.counterpart }
  /// The mean luminance of pixels, from 0 to 100.
  public static var averagePixelLuminance: Unit { SymbolUnit.averagePixelLuminance.counterpart }
  /// Milliseconds by which frames were late, per second of motion.
  public static var hitchTimeRatio: Unit { SymbolUnit.hitchTimeRatio.counterpart }
}
