import Essentials

// Other programs may put other files under these names at any moment: the replaced file is checked, and only a known
// one is removed.
extension ReplacementFile {
  /// Durably takes the place of one particular file, and never that of another file that a program has put there since.
  ///
  /// - Parameters:
  ///   - replaced: The file to remove.
  ///   - find: Finds its path in the same folder; called last, when there is nothing left to wait for. `nil` leaves
  ///     everything unchanged.
  /// - Returns: Its path.
  package func putInPlace(of replaced: FileIdentity, where find: () -> String?) throws(FileFailure) -> String?
  {
    try sync()
    let size = try Posix.status(of: descriptor).size
    try nameForExchange(with: replaced)
    guard let path = find() else { return nil }
    try checkTemporary(for: PathParts(path).name)
    guard try takePlace(PathParts(path).name, of: replaced, size) else { return nil }
    try syncFolder()
    return path
  }

  /// Exchanges names with the file at the path, so that the path always has a file; a killed process leaves at most an
  /// empty file under the other name.
  ///
  /// Does not wait for the disk: later writes to the path have to sync the folder.
  ///
  /// - Parameter rotated: The other name, which must not be in use.
  /// - Returns: False, with nothing changed, if the file system cannot exchange names.
  /// - Throws: The failure, with nothing changed.
  package func changePlaces(with rotated: String) throws(FileFailure) -> Bool {
    try checkTemporary(for: rotated)
    try takeFreePlace(rotated)
    place = rotated
    do { try folder.exchange(rotated, name) } catch {
      try giveUpPlace()
      guard Self.knowsNoExchange(error) else { throw error }
      return false
    }
    place = name
    return true
  }

  private static func knowsNoExchange(_ error: FileFailure) -> Bool {
    [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(error.number)
  }

  /// The replaced file is checked after the exchange, because it could change between a check and the exchange.
  ///
  /// - Parameter size: Number of bytes written to this file.
  private func takePlace(
    _ name: String, of replaced: FileIdentity, _ size: UInt64
  ) throws(FileFailure) -> Bool {
    do { try folder.exchange(temporary, name) } catch {
      guard Self.knowsNoExchange(error) else {
        if error.number == ENOENT { return false }
        throw error
      }
      guard folder.status(of: name)?.identity == replaced else { return false }
      try folder.rename(temporary, to: name)
      place = name
      return true
    }
    // The file that now has the temporary name must not be removed.
    place = name
    guard folder.status(of: temporary)?.identity == replaced else {
      try exchangeBack(name, size)
      return false
    }
    try? folder.remove(temporary)
    return true
  }

  /// Restores the file that another program put in this place at the last moment.
  ///
  /// - Throws: If this file was moved in turn: it then stays where it is, and no other file is lost.
  private func exchangeBack(_ name: String, _ size: UInt64) throws(FileFailure) {
    let own = try Posix.status(of: descriptor).identity
    var failure = FileFailure(.replace(folder.path(of: name)), number: EBUSY)
    do { try folder.exchange(temporary, name) } catch { failure = error }
    guard folder.status(of: temporary)?.identity == own else {
      try Self.keep(temporary, as: name, in: folder)
      throw failure
    }
    place = nil
    try handOn(since: size, to: name)
  }

  /// Appends to the remaining file what programs that ignore locks wrote here while this one had its name.
  private func handOn(since size: UInt64, to name: String) throws(FileFailure) {
    guard try Posix.status(of: descriptor).size > size else { return }
    let other = try folder.open(name, flags: O_WRONLY | O_APPEND)
    defer { Posix.close(other) }
    let path = folder.path(of: name)
    try Self.addRest(of: descriptor, since: size) { bytes throws(FileFailure) in
      try bytes.withTypedBytes { bytes throws(FileFailure) in try Posix.write(bytes, to: other, path: path) }
    }
    try Posix.sync(other, path: path)
  }

  /// Copies the end of a file from an offset on, including bytes appended during the copy.
  package static func addRest(
    of source: Int32, since size: UInt64, with write: ([UInt8]) throws(FileFailure) -> Void
  ) throws(FileFailure) {
    var (place, end) = (Int(clamping: size), Int(clamping: try Posix.status(of: source).size))
    while place < end {
      let late = try Posix.read(source, at: place, count: min(end - place, 1 << 20))
      guard !late.isEmpty else { break }
      try write(late)
      place += late.count
      end = max(end, Int(clamping: try Posix.status(of: source).size))
    }
  }

  func takeFreePlace(_ name: String) throws(FileFailure) {
    try Self.takeFreePlace(name, from: temporary, in: folder)
  }

  private static func takeFreePlace(
    _ name: String, from temporary: String, in folder: OpenFolder
  ) throws(FileFailure) {
    do {
      try folder.link(temporary, as: name)
      try? folder.remove(temporary)
    } catch {
      guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.number) else { throw error }
      // The file system has no hard links: another process may intervene between the check and the rename.
      guard folder.status(of: name) == nil else { throw .other(EEXIST) }
      try folder.rename(temporary, to: name)
    }
  }

  /// Vacates the place that it has taken, unless another file has it by now, and removes this file.
  package func takeBack() throws(FileFailure) {
    if try giveUpPlace() { try folder.remove(temporary) }
  }

  /// Renames this file back to a temporary name and then checks it: a file that took the place at the last moment is
  /// put back.
  ///
  /// - Returns: True if this file has the temporary name.
  @discardableResult
  private func giveUpPlace() throws(FileFailure) -> Bool {
    guard let place else { return false }
    let own = try Posix.status(of: descriptor).identity
    guard folder.status(of: place)?.identity == own else { return false }
    let former = temporary
    temporary = Self.exchangeName(of: name, own, own)
    do { try folder.rename(place, to: temporary) } catch {
      temporary = former
      throw error
    }
    guard folder.status(of: temporary)?.identity == own else {
      try Self.keep(temporary, as: place, in: folder)
      return false
    }
    self.place = nil
    return true
  }

  // MARK: Leftovers of a killed process

  /// Chooses a temporary name that tells which files may be removed, in case the process dies between an exchange and
  /// the check of its result.
  private func nameForExchange(with replaced: FileIdentity) throws(FileFailure) {
    let next = Self.exchangeName(of: name, try Posix.status(of: descriptor).identity, replaced)
    try checkTemporary(for: next)
    try folder.rename(temporary, to: next)
    temporary = next
  }

  /// The temporary name during an exchange with other files; two of them may be removed.
  static func exchangeName(of name: String, _ files: FileIdentity...) -> String {
    temporaryPrefix(of: name) + files.map { String($0.inode, radix: 36) }.joined(separator: "-")
      + exchangeMark
  }
  private static let exchangeMark = "~"

  /// The files that may be removed, from the end of a temporary name; `nil` if the name is not for an exchange.
  static func removable(ofExchange ending: String) -> [UInt64]? {
    guard ending.hasSuffix(exchangeMark) else { return nil }
    return ending.dropLast().split(separator: "-").compactMap { UInt64($0, radix: 36) }
  }

  /// Restores the name of an unknown file that an exchange produced, or gives it the first free numbered one, by which
  /// readers find it as a rotated file.
  static func keep(_ temporary: String, as name: String, in folder: OpenFolder) throws(FileFailure) {
    for number in 0..<1000 {
      do {
        return try takeFreePlace(number == 0 ? name : "\(name).\(number)", from: temporary, in: folder)
      } catch { guard error.number == EEXIST else { throw error } }
    }
    throw .other(EEXIST)
  }
}
