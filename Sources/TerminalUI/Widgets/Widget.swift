/// Something that can be drawn: a value with one method.
package protocol Widget {
  /// Draws into the area and nowhere else; any size must be survived.
  func render(in area: Rect, into buffer: inout Buffer)
}
