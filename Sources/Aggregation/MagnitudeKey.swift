/// Numbers bins by the bit pattern of a value: the sign and the leading bits of the magnitude that a shift leaves.
///
/// Keys are ordered like the values; 0 is the key of zero alone. With a shift of 46 an octave has 64 bins.
enum MagnitudeKey {
  /// The key of a finite number.
  @inline(__always)
  static func key(of value: Double, shift: Int) -> Int32 {
    guard value != 0 else { return 0 }
    let key = Int32(truncatingIfNeeded: value.magnitude.bitPattern >> UInt64(shift)) + 1
    return value < 0 ? -key : key
  }

  /// The range of values with this key.
  static func interval(of key: Int32, shift: Int) -> (lower: Double, upper: Double) {
    guard key != 0 else { return (0, 0) }
    let top = UInt64(key.magnitude - 1)
    let near = Double(bitPattern: top << UInt64(shift))
    let next = Double(bitPattern: (top + 1) << UInt64(shift))
    let far = next.isFinite ? next : .greatestFiniteMagnitude
    return key > 0 ? (near, far) : (-far, -near)
  }
}
