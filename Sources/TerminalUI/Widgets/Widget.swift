/// A drawable value with one method.
package protocol Widget {
  /// Draws into the area and nowhere else; must handle any size.
  func render(in area: Rect, into buffer: inout Buffer)
}
