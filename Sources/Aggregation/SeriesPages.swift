/// The series of a store, eight per page.
///
/// Changing one series after a snapshot copies its page and the list of pages, not all series.
struct SeriesPages: Sendable {
  private static let size = 8
  private var pages: [[SeriesData]] = []
  private(set) var count = 0

  mutating func append(_ data: SeriesData) {
    if count % Self.size == 0 { pages.append([]) }
    pages[pages.count - 1].append(data)
    count += 1
  }

  subscript(index: Int) -> SeriesData {
    _read { yield pages[index / Self.size][index % Self.size] }
    _modify { yield &pages[index / Self.size][index % Self.size] }
  }

  /// True if there is a series with this ID.
  func contains(_ id: SeriesID) -> Bool {
    id.index >= 0 && id.index < count && self[id.index].generation == id.generation
  }
}
