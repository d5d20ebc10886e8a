import Aggregation
import Codecs
import Foundation
import Platform

@testable import Dashboard
@testable import DashboardCore
@testable import History
@testable import JSONLines
@testable import TerminalUI

/// Whole screens over a file, at any size, with any keys between.
///
/// Nothing is read but the file, and nothing is written: what the dashboard wants to have done outside is left undone.
package struct ScreenChecks {
  private var random: SplitMix64
  private let feed: FeedSnapshot
  private let store: HistoryStore
  private let incidents: FoundIncidents?
  private var model: Model
  /// The last actions, for finding the cause.
  private var acts: [String] = []
  private var hasOverlay: Bool { model.session.overlay != nil || model.session.toast != nil }

  /// - Parameters:
  ///   - bytes: of the file.
  ///   - seed: of sizes and keys.
  package init(_ bytes: [UInt8], seed: UInt64) {
    random = SplitMix64(seed: seed)
    feed = Self.feed(bytes)
    let file = HistoryFile(name: "m.jsonl", path: "m.jsonl", bytes: MemoryBytes(bytes))
    _ = file.refresh()
    store = HistoryStore(files: [file], workers: 1)
    let search = IncidentSearch()
    var found: FoundIncidents?
    repeat { found = search.goOn(in: store.files, at: Timestamp(.infinity)) ?? found } while !search.isDone
    incidents = found
    model = Model(size: Size(width: 80, height: 24), now: Timestamp(0), feed: feed)
    restart()
  }

  /// A file of that seed.
  package init(seed: UInt64) { self.init(ScreenFile.make(seed: seed), seed: ~seed) }

  /// Draws so many frames; says what is wrong with one.
  package mutating func complaint(frames: Int) -> String? {
    for _ in 0..<frames {
      let frame = view(model)
      if let complaint = Self.complaint(about: frame, size: model.session.size, isOpen: !hasOverlay) {
        return "\(complaint); at \(model.session.size), after \(acts.suffix(12).joined(separator: " "))"
      }
      act()
    }
    return nil
  }

  /// The picture now, for finding the cause.
  package var picture: String { view(model).buffer.lines.joined(separator: "\n") }

  /// A file, whose first bytes are the seed of what is done.
  static func screens(_ input: UnsafeRawBufferPointer) -> String? {
    var input = FuzzInput(input)
    let seed = (0..<3).reduce(UInt64(0)) { seed, _ in seed << 8 | UInt64(input.steering()) }
    var checks = ScreenChecks(Array(input.bytes), seed: seed)
    return checks.complaint(frames: 6)
  }

  // MARK: The model

  private static func feed(_ bytes: [UInt8]) -> FeedSnapshot {
    var state = IngestState(limits: SeriesStore.Limits())
    var intake = MemberIntake(member: TailMember(index: 0, path: "m.jsonl"))
    bytes.withUnsafeBytes { intake.take($0, at: 0) }
    state.take(&intake, at: now)
    _ = state.caughtUp()
    return FeedSnapshot(
      store: state.store, status: state.status(sources: ["m.jsonl"], at: now), engines: state.engines)
  }

  private static let now = Timestamp(816_918_500)

  private mutating func restart() {
    let capabilities = Capabilities(
      depth: pick(ColorDepth.allCases), glyphs: pick(GlyphTier.allCases),
      repertoire: below(4) == 0 ? .ascii : .unicode)
    model = Model(
      size: size(), now: Self.now, theme: Theme(capabilities: capabilities), zone: .utc, feed: feed)
    var news = HistoryNews()
    news.incidents = incidents
    take([.history(news)])
    take([.input(.key(KeyPress(Key.character(pick(Array("12345"))))))])
  }

  /// Folds messages in, and answers what the model then wants to know.
  private mutating func take(_ messages: [Message]) {
    var effects = updateAtOnce(&model, messages)
    for _ in 0..<8 where !effects.isEmpty {
      var answers: [Message] = []
      for effect in effects {
        switch effect {
        case .ask(let query):
          guard let answer = try? store.answer(query) else { continue }
          var news = HistoryNews()
          news.answer = answer
          answers.append(.history(news))
        case .findLine(let query): answers.append(.line(nil, query))
        case .readLine(let rejection, let selection):
          answers.append(.rejectedLine(LineText(rejection).line, selection: selection))
        case .quit, .giveUp: return restart()
        default: break
        }
      }
      effects = answers.isEmpty ? [] : updateAtOnce(&model, answers)
    }
  }

  // MARK: What a person does

  private mutating func act() {
    let event = event()
    acts.append("\(event)")
    if acts.count > 24 { acts.removeFirst(12) }
    if below(12) == 0 {
      take([.clock(model.session.now + pick([0.1, 1, 60, 86_400])), .feed(feed), .input(event)])
    } else {
      take([.input(event)])
    }
  }

  private mutating func event() -> InputEvent {
    switch below(20) {
    case 0, 1, 2: return .resize(size())
    case 3:
      let place = Position(x: below(300), y: below(100))
      let action = pick([MouseEvent.Action.press, .release, .drag, .move, .wheelUp, .wheelDown])
      return .mouse(MouseEvent(action, button: .left, at: place))
    case 4: return .paste(pick(["abc", "12:30", "-5", "p95 > 3", "\u{65E5}\u{301}", "2.1", " ", "a = b"]))
    case 5: return pick([.background(.rgb(0, 0, 0)), .trueColor])
    case 6, 7, 8:
      let key = pick([
        Key.enter, .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home,
        .end,
        .pageUp, .pageDown, .function(1),
      ])
      return .key(KeyPress(key, pick([[], [], [], .shift, .alt])))
    case 9: return .key(KeyPress(.character(pick(Array("12345"))), []))
    default:
      let scalar = UnicodeScalar(UInt8(0x20 + below(0x5F)))
      // Quitting over and over would show little.
      let sign = Character(scalar) == "q" && below(20) > 0 ? "j" : Character(scalar)
      return .key(KeyPress(.character(sign), below(16) == 0 ? .control : []))
    }
  }

  private mutating func size() -> Size {
    switch below(6) {
    case 0: Size(width: 1 + below(12), height: 1 + below(8))
    case 1: Size(width: pick([120, 80, 40, 200, 20]), height: pick([36, 24, 12, 60, 5]))
    default: Size(width: 1 + below(300), height: 1 + below(100))
    }
  }

  private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  // MARK: What must be

  private static func complaint(about frame: Frame, size: Size, isOpen: Bool) -> String? {
    let buffer = frame.buffer
    guard buffer.size == size, buffer.cells.count == size.width * size.height else {
      return "\(buffer.cells.count) cells of \(buffer.size)"
    }
    if let cursor = frame.cursor, !buffer.area.contains(cursor) { return "the cursor is at \(cursor)" }
    for (place, cell) in buffer.cells.enumerated() {
      let (x, y) = (place % size.width, place / size.width)
      let (base, first, second) = cell.scalars
      for scalar in [base, first, second] where scalar != 0 && ForbiddenScalars.contains(scalar) {
        return "U+\(String(scalar, radix: 16)) at \(x), \(y)"
      }
      if buffer.repertoire == .ascii, !cell.isContinuation, base >= 0x7F {
        let shown = cell.scalars(in: .ascii)
        guard (0x20..<0x7F).contains(shown.0) else { return "no ASCII at \(x), \(y)" }
      }
      let isHalf = cell.isWide && !(x + 1 < size.width && buffer.cells[place + 1].isContinuation)
      let isOrphan = cell.isContinuation && !(x > 0 && buffer.cells[place - 1].isWide)
      if isHalf || isOrphan { return "half a sign at \(x), \(y)" }
    }
    return isOpen ? brokenBox(in: buffer) : nil
  }

  /// A box whose sides something has been written over, which was to stay in it or beside it.
  private static func brokenBox(in buffer: Buffer) -> String? {
    for y in 0..<buffer.size.height {
      for x in 0..<buffer.size.width where buffer[x, y].text == "\u{250C}" {
        guard let right = (x + 1..<buffer.size.width).first(where: { buffer[$0, y].text == "\u{2510}" })
        else {
          return "a box without an end at \(x), \(y)"
        }
        for side in [x, right] {
          let foot = side == x ? "\u{2514}" : "\u{2518}"
          var row = y + 1
          while row < buffer.size.height, Self.sides.contains(buffer[side, row].text) { row += 1 }
          // A box of one row has no foot.
          guard row < buffer.size.height, row == y + 1 || buffer[side, row].text == foot else {
            return "the side of a box at \(side), \(row) is '\(buffer[side, row].text)'"
          }
        }
      }
    }
    return nil
  }

  /// The parts of a side; a scale stands in it.
  private static let sides: Set<String> = ["\u{2502}", "\u{2524}", "\u{251C}", "\u{2503}"]
}
