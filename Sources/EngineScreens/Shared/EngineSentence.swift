import Codecs
import DashboardCore
import Platform
import TerminalUI

/// An engine's activity and the reason for it, in one sentence.
package struct EngineSentence: Sendable, Equatable {
  /// The condition of the engine.
  package enum Mood: Hashable, Sendable {
    /// All is well.
    case good
    /// All is well, but the engine does not send.
    case idle
    /// It will continue by itself.
    case waiting
    /// It will not continue by itself.
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
  /// The wordings, longest first; each gives the reason and the next event.
  package let wordings: [String]

  init(mood: Mood, wordings: [String]) { (self.mood, self.wordings) = (mood, wordings) }
  init(_ mood: Mood, _ wordings: String...) { self.init(mood: mood, wordings: wordings) }

  /// A further problem for the end of the longest wording, of those between, and of the shortest one.
  typealias Addition = (long: String, middle: String, short: String)

  /// The same sentence with a loss at its end, which is never good.
  func adding(_ loss: Addition) -> Self {
    var wordings = self.wordings.enumerated().map { place, wording in
      let end = place == self.wordings.count - 1 ? loss.short : loss.middle
      return wording.hasSuffix(".") ? wording.dropLast() + end + "." : wording + end
    }
    if let first = self.wordings.first { wordings[0] = first + loss.long }
    return Self(mood: mood == .good || mood == .idle ? .waiting : mood, wordings: wordings)
  }

  /// The longest wording that fits into a number of lines, or the shortest one.
  func lines(width: Int, most: Int) -> [String] {
    for wording in wordings {
      let lines = TextWrap.lines(wording, width: width)
      if lines.count <= most { return lines }
    }
    return TextWrap.lines(wordings.last ?? "", width: width)
  }

  /// The number of columns before the sentence.
  static func margin(_ step: LayoutStep) -> Int { step == .tiny ? 0 : step.hasBoxes ? 3 : 2 }

  /// Maximum number of rows of the sentence.
  static func rows(_ step: LayoutStep) -> Int {
    switch step {
    case .wide, .medium: 2
    case .stacked, .narrow, .list: 3
    case .tiny: 4
    }
  }
}

/// The parts of a sentence.
protocol EngineWords {
  /// The moment the sentence describes.
  var now: Timestamp { get }
  var zone: ClockZone { get }
}

extension EngineWords {
  func duration(_ seconds: Double) -> String { DurationFormat.text(max(0, seconds)) }
  func moment(_ time: Timestamp) -> String { zone.moment(time, now: now) }

  /// The sentence of a sleeping device; `nil` if it is awake.
  ///
  /// - Parameters:
  ///   - queue: The waiting items, as the end of a sentence, and in short.
  func asleep(
    _ sleep: Range<Timestamp>?, _ mood: EngineSentence.Mood, _ queue: (long: String, short: String)
  ) -> EngineSentence? {
    guard let sleep else { return nil }
    let left = "for \(duration(sleep.upperBound - now)) more"
    let since = "asleep since \(moment(sleep.lowerBound)), \(left)"
    return EngineSentence(
      mood, "The device is \(since); \(queue.long).", "Device \(since); \(queue.short).",
      "Asleep \(left); \(queue.short).")
  }

  /// A quotation shortened to whole words, for use in a sentence.
  static func short(_ text: String) -> String {
    let limit = 72
    guard text.count > limit else { return text }
    let cut = text.prefix(limit)
    return String(cut[..<(cut.lastIndex(of: " ") ?? cut.endIndex)])
  }
}

/// The texts above the panes of an engine's screen, wrapped to its width.
package struct EngineTexts: Sendable {
  let mood: EngineSentence.Mood
  /// The sentence in the longest wording that fits.
  let sentence: [String]
  /// The scenario's story at this moment; empty where space is short.
  let story: [String]
}

extension EngineScreen {
  /// The columns not available to the story: its label and the margins of the sentence.
  private static var storyMargin: Int { 11 }

  var texts: EngineTexts {
    let (frame, sentence) = (ScreenFrame(size: session.size), sentence)
    let width = frame.body.width
    let story = frame.step <= .narrow ? state.engine.story : nil
    return EngineTexts(
      mood: sentence.mood,
      sentence: sentence.lines(
        width: max(1, width - EngineSentence.margin(frame.step) - 1), most: EngineSentence.rows(frame.step)),
      story: story.map { TextWrap.lines($0, width: max(1, width - Self.storyMargin)) } ?? [])
  }

  var layout: EngineLayout<Pane> { layout(below: texts) }

  func layout(below texts: EngineTexts) -> EngineLayout<Pane> {
    var needs = EngineNeeds<Pane>()
    if state.engine.simulation != nil {
      needs.controls = session.scenarios[Simulated.kind] == nil ? .recorded : .driven
    }
    needs.hasBranches = state.other != nil
    needs.faults = state.engine.faults.count
    needs.maximised = state.isMaximised ? state.pane : nil
    needs.isOpen = state.isOpen
    needs.sentence = texts.sentence.count
    needs.story = texts.story.count
    return EngineLayout(size: session.size, needs: needs)
  }
}

extension EngineView {
  func drawStory(into buffer: inout Buffer) {
    let lines = texts.story.enumerated().map { row, text -> Line in
      [Span((row == 0 ? "story" : "").padding(to: 7), theme[.dim]), Span(text, theme[.text])]
    }
    write(lines, in: layout[.story].inset(left: layout.hasBoxes ? 2 : 1), into: &buffer)
  }

  /// Draws the sentence above everything else, with a mark in front whose colour shows the mood.
  func drawSentence(in area: Rect, into buffer: inout Buffer) {
    let style = theme[texts.mood.role].adding(.bold)
    let margin = EngineSentence.margin(layout.step)
    let lines = texts.sentence.map { Line($0, style) }
    if margin > 0 {
      write(lines.map { _ in Line(signs.severity, style) }, in: area.inset(left: margin - 2), into: &buffer)
    }
    write(lines, in: area.inset(left: margin), into: &buffer)
  }
}
