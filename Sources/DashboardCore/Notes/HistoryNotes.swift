package import Aggregation
package import History
package import Platform

/// The user's notes about the contents of a file: marked times and saved views.
package struct HistoryNotes: Hashable, Sendable {
  /// A marked time.
  package struct Mark: Hashable, Sendable {
    package var time: Timestamp
    /// A description of the view at that time.
    package var text: String

    package init(time: Timestamp, text: String) {
      self.time = time
      self.text = text
    }
  }

  /// A saved view of the history.
  package struct SavedView: Hashable, Sendable {
    package var name: String
    package var focus: SeriesIdentity?
    /// The single value shown, of a text or boolean.
    package var narrowed: String?
    /// The visible time range; `nil` for the whole history.
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

  /// Maximum saved views.
  package static let viewLimit = 50
  /// Maximum bytes of a name or text.
  package static let textLimit = 200

  /// Marks by letter, `a` to `z`.
  package private(set) var marks: [Character: Mark] = [:]
  /// In order of creation.
  package private(set) var views: [SavedView] = []
  /// The view when the file was last open.
  package var last = LastView()

  package init() {}

  package var isEmpty: Bool { marks.isEmpty && views.isEmpty && last.isEmpty }

  /// The valid letters for marks.
  package static let letters = Array("abcdefghijklmnopqrstuvwxyz")

  /// True if a character is a valid letter for a mark.
  package static func isLetter(_ character: Character) -> Bool { letters.contains(character) }

  /// Sets a mark; replaces an earlier one with the same letter.
  package mutating func set(_ mark: Mark, letter: Character) {
    guard Self.isLetter(letter), mark.time.seconds.isFinite else { return }
    marks[letter] = Mark(time: mark.time, text: Self.cut(mark.text))
  }

  /// Saves a view, in place of one with the same name; drops the oldest beyond the limit.
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

  /// These notes merged with another session's changes since both started from `base`; where both changed the same
  /// entry, these win.
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

  /// The beginning of a text, truncated at a character boundary.
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
