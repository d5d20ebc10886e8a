import TerminalUI

/// What an engine is doing and why, in one sentence.
package struct EngineSentence: Sendable, Equatable {
  /// How well things go.
  package enum Mood: Hashable, Sendable {
    /// There is nothing to say against it.
    case good
    /// Nothing is wrong, but nothing is sent.
    case idle
    /// It will go on by itself.
    case waiting
    /// It will not go on by itself.
    case stuck

    var role: Role {
      switch self {
      case .good: .good
      case .idle: .text
      case .waiting: .warning
      case .stuck: .alert
      }
    }
  }

  package let mood: Mood
  /// The sentence from the longest to the shortest wording; each says why, and what comes next.
  package let wordings: [String]

  /// The longest wording that takes at most so many lines of a width; else the shortest one.
  func lines(width: Int, most: Int) -> [String] {
    for wording in wordings {
      let lines = TextWrap.lines(wording, width: width)
      if lines.count <= most { return lines }
    }
    return TextWrap.lines(wordings.last ?? "", width: width)
  }

  /// The most rows of the sentence.
  static func rows(_ step: LayoutStep) -> Int {
    switch step {
    case .wide, .medium: 2
    case .stacked, .narrow, .list: 3
    case .tiny: 4
    }
  }
}

extension ScreenModel where Owner: EngineScreen {
  /// The sentence in as many words as there is room for.
  var sentenceLines: [String] {
    let frame = ScreenFrame(size: session.size)
    let margin = frame.step.hasBoxes ? 4 : frame.step == .tiny ? 1 : 2
    return Owner.sentence(self).lines(
      width: max(1, frame.body.width - margin), most: EngineSentence.rows(frame.step))
  }
}

extension EngineView {
  /// Draws the sentence above everything else.
  func drawSentence(in area: Rect, into buffer: inout Buffer) {
    let style = theme[Owner.sentence(model).mood.role].adding(.bold)
    let margin = layout.hasBoxes ? 2 : layout.step == .tiny ? 0 : 1
    write(model.sentenceLines.map { Line($0, style) }, in: area.inset(left: margin), into: &buffer)
  }
}
