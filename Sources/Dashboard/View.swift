package import TerminalUI

/// One picture, and where the terminal's cursor belongs in it.
package struct Frame: Sendable, Equatable {
  package var buffer: Buffer
  /// Only while something is typed.
  package var cursor: Position?
}

/// Draws the model.
package func view(_ model: Model) -> Frame {
  var frame = Frame(buffer: Buffer(size: model.size, repertoire: model.theme.capabilities.repertoire))
  switch model.screen {
  case .live: LiveView(model: model).draw(into: &frame)
  case .history: HistoryView(model: model).draw(into: &frame)
  case .histogram: HistogramView(model: model).draw(into: &frame)
  case .sync: SyncView(model: model).draw(into: &frame)
  }
  return frame
}
