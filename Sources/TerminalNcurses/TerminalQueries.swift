internal import TerminalUI

/// Queries to a terminal, and the answers that it may give.
struct TerminalQueries: Hashable, Sendable {
  private(set) var text = ""
  private(set) var answers: Set<TerminalAnswer> = []

  /// - Parameters:
  ///   - questions: What is to be asked; what the terminal could not answer, or what does not matter there, is left out.
  ///   - hasRoom: True if the query for the width of signs has the room that it needs.
  init(_ questions: TerminalQuestions, kind: TerminalKind, capabilities: Capabilities, hasRoom: Bool) {
    let isColored = capabilities.depth != .none
    if questions.contains(.background), isColored { add(BackgroundReply.question, [.background]) }
    if questions.contains(.colors), isColored, kind.answersForColors, capabilities.depth < .trueColor,
      capabilities.deepest == .trueColor
    {
      add(ColorReply.question, [.capability, .setting])
    }
    let measures = questions.contains(.signs) && capabilities.repertoire.hasSigns
    guard hasRoom, measures || !answers.isEmpty else { return }
    // The last one: every terminal answers it, and thereby says that no other answer is to come.
    add(measures ? WidthReply.question : WidthReply.plainQuestion, [.cursor])
  }

  private mutating func add(_ question: String, _ answers: [TerminalAnswer]) {
    text += question
    self.answers.formUnion(answers)
  }
}
