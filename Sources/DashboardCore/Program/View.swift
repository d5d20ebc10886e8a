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
  // Where a prompt has no room, what is typed stands beyond the edge.
  if let cursor = frame.cursor, !frame.buffer.area.contains(cursor) { frame.cursor = nil }
  return frame
}
