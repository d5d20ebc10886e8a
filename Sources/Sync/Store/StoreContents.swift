import Platform

/// Changes since the last save, as the bytes that a log has of them.
struct StoreTransaction: Sendable {
  private var content = StoreByteWriter()
  /// The cost of keeping the changes; see ``StoreChange/weight``.
  private(set) var weight = 0
  /// True if everything is removed: then what was there must not lie in a file.
  private(set) var isErasing = false

  /// The changes as bytes.
  var bytes: [UInt8] { content.bytes }

  /// The changes.
  var changes: [StoreChange] { StoreByteReader.changes(in: content.bytes[...]) ?? [] }

  /// Adds a change, or nothing.
  ///
  /// - Throws: ``SyncError`` for a value that is nested so deep that it could not be read again.
  mutating func add(_ change: StoreChange) throws(SyncError) {
    try content.append(change)
    weight += change.weight
    if change == .erased { isErasing = true }
  }

  /// Begins the next one.
  mutating func clear() {
    content.clear()
    (weight, isErasing) = (0, false)
  }
}

/// One copy of everything for all handles that open the same contents.
///
/// It shows the view of one handle at a time: what was saved and what that one has changed since. When another one
/// comes, the changes are taken back and its own are made.
final class StoreContents: Sendable {
  struct View: Sendable {
    fileprivate(set) var data: SyncData
    fileprivate var undo: [SyncData.Undo] = []
    fileprivate var handle: ObjectIdentifier?

    /// Makes a change that can be taken back.
    mutating func apply(_ change: StoreChange) {
      undo.append(data.undo(of: change))
      data.apply(change)
    }

    /// Makes a change of before again.
    fileprivate mutating func repeatChange(_ change: StoreChange) {
      undo.append(data.undo(of: change))
      data.repeatChange(change)
    }

    /// Keeps all changes.
    mutating func keep() { undo.removeAll(keepingCapacity: undo.count < 1024) }

    /// Takes all changes back.
    mutating func takeBack() {
      while let step = undo.popLast() { step(&data) }
    }
  }

  private let view: Locked<View>

  init(_ data: SyncData) {
    view = Locked(View(data: data))
  }

  /// Uses the view of a handle.
  ///
  /// - Parameter unsaved: What it has changed since its last save; asked for when it has to be changed again.
  func use<Value: Sendable>(
    _ handle: ObjectIdentifier, unsaved: () -> [StoreChange], _ body: (inout View) throws -> Value
  ) rethrows -> Value {
    try view.withLock { view in
      if view.handle != handle {
        view.takeBack()
        for change in unsaved() { view.repeatChange(change) }
        view.handle = handle
      }
      return try body(&view)
    }
  }

  /// Forgets a handle with all that it has not saved.
  func forget(_ handle: ObjectIdentifier) {
    view.withLock { view in
      guard view.handle == handle else { return }
      view.takeBack()
      view.handle = nil
    }
  }
}
