/// The notes of one session: loaded at its start, saved with every change.
package final class Notebook {
  /// Notes from earlier runs.
  package let notes: HistoryNotes
  /// The reason that notes could not be read, as a sentence.
  package let problem: String?
  private let store: any NotesStore
  private let key: String?
  /// The notes as last loaded or saved: entries in the store that differ from them were changed by another session.
  private var base: HistoryNotes

  /// - Parameters:
  ///   - folder: the folder for notes; empty for none.
  ///   - paths: the files of the session; the first readable one determines the notes' key.
  package convenience init(folder: String, paths: [String]) {
    let key = paths.lazy.filter { $0 != "-" }.compactMap(NotesFolder.key(ofFile:)).first
    self.init(store: NotesFolder(folder: folder), key: folder.isEmpty ? nil : key)
  }

  /// - Parameter key: the key of the notes; `nil` if they are not stored.
  package init(store: any NotesStore, key: String?) {
    self.store = store
    self.key = key
    (notes, problem) = key.map(store.load) ?? (HistoryNotes(), nil)
    base = notes
  }

  /// Saves notes; returns the reason for a failure.
  package func keep(_ notes: HistoryNotes) -> String? {
    guard let key else { return "Marks and views will not be saved: there is no folder for them" }
    let there = store.load(key)
    // Unreadable notes may be a user's marks: they are never overwritten.
    if there.problem != nil {
      if let problem = store.setAside(key) { return problem }
      // Notes that are gone were not deleted by a user.
      base = HistoryNotes()
    }
    let all = there.problem == nil ? notes.merged(with: there.notes, since: base) : notes
    if let problem = store.save(all, key) { return problem }
    // Not `all`: entries of other sessions are theirs to delete.
    base = notes
    return nil
  }
}
