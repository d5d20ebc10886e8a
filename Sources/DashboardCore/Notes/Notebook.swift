/// The notes of one session: read at its beginning, kept whenever they change.
package final class Notebook {
  /// Notes from earlier runs.
  package let notes: HistoryNotes
  /// Why notes could not be read, in a sentence.
  package let problem: String?
  private let store: any NotesStore
  private let key: String?
  /// The notes last read or kept: another session has changed any that differ from them in the store.
  private var base: HistoryNotes

  /// - Parameters:
  ///   - folder: where notes are kept; empty for nowhere.
  ///   - paths: the files that the session is about; the first one that can be read gives the notes their key.
  package convenience init(folder: String, paths: [String]) {
    let key = paths.lazy.filter { $0 != "-" }.compactMap(NotesFolder.key(ofFile:)).first
    self.init(store: NotesFolder(folder: folder), key: folder.isEmpty ? nil : key)
  }

  /// - Parameter key: what the notes are kept under; `nil` for nowhere.
  package init(store: any NotesStore, key: String?) {
    self.store = store
    self.key = key
    (notes, problem) = key.map(store.load) ?? (HistoryNotes(), nil)
    base = notes
  }

  /// Keeps notes; says why that could not be.
  package func keep(_ notes: HistoryNotes) -> String? {
    guard let key else { return "Marks and views will not be saved: there is no folder for them" }
    let there = store.load(key)
    // Nothing that might be somebody's marks is written over.
    if there.problem != nil {
      if let problem = store.setAside(key) { return problem }
      // Notes that are not there any more were taken back by no one.
      base = HistoryNotes()
    }
    let all = there.problem == nil ? notes.merged(with: there.notes, since: base) : notes
    if let problem = store.save(all, key) { return problem }
    // These, and not all: what the others have made is theirs to take back.
    base = notes
    return nil
  }
}
