/// The grid of bins in which devices count durations.
package enum PayloadGrid {
  /// Upper edge of a bin that is written with these bounds, in milliseconds.
  ///
  /// Devices write the first and the last whole millisecond of bins 10 or 100 ms wide (as reported, and as in the only
  /// known real payload); bins of other widths touch.
  package static func upperEdge(start: Double, end: Double) -> Double {
    let width = end - start + 1
    return width == 10 || width == 100 ? end + 1 : end
  }
}
