package import Aggregation
package import History
package import Platform

/// The person's notes about the contents of a file: marked moments and saved views.
package struct HistoryNotes: Hashable, Sendable {
  /// A marked moment.
  package struct Mark: Hashable, Sendable {
    package var time: Timestamp
    /// The view then.
    package var text: String

    package init(time: Timestamp, text: String) {
      self.time = time
      self.text = text
    }
  }

  /// A way to look at the history that the person wants to come back to.
  package struct SavedView: Hashable, Sendable {
    package var name: String
    package var focus: SeriesIdentity?
    /// The one value that was shown of a text or bool.
    package var narrowed: String?
    /// The stretch in view; `nil` for the whole history.
    package var window: Range<Timestamp>?
    package var order: HistoryPageQuery.Order
    package var filter: String

    package init(
      name: String, focus: SeriesIdentity?, narrowed: String?, window: Range<Timestamp>?,
      order: HistoryPageQuery.Order, filter: String
    ) {
      self.name = name
      self.focus = focus
      self.narrowed = narrowed
      self.window = window
      self.order = order
      self.filter = filter
    }
  }

  /// Views that are kept at most.
  package static let viewLimit = 50
  /// Bytes of a name or text that are kept at most.
  package static let textLimit = 200

  /// By their letters, `a` to `z`.
  package private(set) var marks: [Character: Mark] = [:]
  /// In the order of their making.
  package private(set) var views: [SavedView] = []
  /// How the file was looked at last.
  package var last = LastView()

  package init() {}

  package var isEmpty: Bool { marks.isEmpty && views.isEmpty && last.isEmpty }

  /// The names that marks can have.
  package static let letters = Array("abcdefghijklmnopqrstuvwxyz")

  /// True if a character can be the name of a mark.
  package static func isLetter(_ character: Character) -> Bool { letters.contains(character) }

  /// Marks a moment; one that had the letter before is forgotten.
  package mutating func set(_ mark: Mark, letter: Character) {
    guard Self.isLetter(letter), mark.time.seconds.isFinite else { return }
    marks[letter] = Mark(time: mark.time, text: Self.cut(mark.text))
  }

  /// Keeps a view, in the place of one of the same name; the oldest goes where there are too many.
  package mutating func keep(_ view: SavedView) {
    var view = view
    view.name = Self.cut(view.name)
    view.filter = Self.cut(view.filter)
    if let index = views.firstIndex(where: { $0.name == view.name }) {
      views[index] = view
    } else {
      views.append(view)
    }
    views = views.suffix(Self.viewLimit)
  }

  /// These notes with what another session has changed since both began from `base`: where both changed one thing, these
  /// count.
  package func merged(with others: HistoryNotes, since base: HistoryNotes) -> HistoryNotes {
    var merged = self
    for letter in Set(marks.keys).union(others.marks.keys) where marks[letter] == base.marks[letter] {
      merged.marks[letter] = others.marks[letter]
    }
    let ours = Dictionary(views.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let old = Dictionary(base.views.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let theirs = Dictionary(others.views.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let names = (others.views + views).map(\.name).reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    merged.views = names.compactMap { ours[$0] == old[$0] ? theirs[$0] : ours[$0] }.suffix(Self.viewLimit)
    if last == base.last { merged.last = others.last }
    return merged
  }

  /// The beginning of a text, cut at a character's edge.
  package static func cut(_ text: String) -> String {
    guard text.utf8.count > textLimit else { return text }
    var bytes = 0
    return String(
      text.prefix { character in
        bytes += character.utf8.count
        return bytes <= textLimit
      })
  }
}
