// The transfer curve needs a fractional power, which the C library computes.
import Essentials

extension Color {
  /// The relative luminance, from 0 to 1, as WCAG computes it from sRGB.
  package var luminance: Double {
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    let (red, green, blue) = components
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
