import TerminalUI

/// Draws the model.
package func view(_ model: Model) -> Frame {
  let session = model.session
  var frame = Frame(buffer: Buffer(size: session.size, repertoire: session.theme.capabilities.repertoire))
  let front = model.front
  front.draw(into: &frame)
  if session.overlay != nil { frame.buffer.forgetHints() }
  OverlayView(
    session: session, front: front, help: model.helpList, choices: model.choices,
    completions: model.completions, problem: model.typedProblem
  ).draw(
    into: &frame)
  // Without space for a prompt, the cursor is outside the frame.
  if let cursor = frame.cursor, !frame.buffer.area.contains(cursor) { frame.cursor = nil }
  return frame
}
