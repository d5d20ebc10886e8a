import TerminalUI

/// Draws the model.
package func view(_ model: Model) -> Frame {
  let session = model.session
  var frame = Frame(buffer: Buffer(size: session.size, repertoire: session.theme.capabilities.repertoire))
  model.facts.draw(into: &frame)
  OverlayView(model: model).draw(into: &frame)
  return frame
}
