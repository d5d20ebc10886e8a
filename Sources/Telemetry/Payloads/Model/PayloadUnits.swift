public import Essentials

extension Unit {
  /// Thousands of processor instructions.
  public static var kiloinstructions: Unit { Unit(symbol: "kiloinstructions") }
  /// The mean luminance of pixels, 0 to 100.
  public static var averagePixelLuminance: Unit { Unit(symbol: "apl") }
  /// Milliseconds that frames came late, per second of motion.
  public static var hitchTimeRatio: Unit { Unit(symbol: "ms per s") }
}
