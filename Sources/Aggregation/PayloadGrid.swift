/// The grid of bins in which devices count durations.
package enum PayloadGrid {
  /// Where the values of a bin end that is written with these bounds, in milliseconds.
  ///
  /// Devices write the first and the last whole millisecond of a bin 10 or 100 ms wide (reported, and so in the one
  /// real payload that is known); bins of other widths touch.
  package static func upperEdge(start: Double, end: Double) -> Double {
    let width = end - start + 1
    return width == 10 || width == 100 ? end + 1 : end
  }
}
