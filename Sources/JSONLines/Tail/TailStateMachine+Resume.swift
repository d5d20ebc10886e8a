import Platform

extension TailStateMachine {
  /// The reading position, to be saved; `nil` if no file was read yet.
  package var position: TailPosition? {
    guard var position = segments.first(where: { !$0.isRevisited }).map(TailPosition.init) ?? left else {
      return resumption
    }
    let rotated = late.map(\.segment) + segments.filter(\.isRevisited)
    position.late = rotated.filter { $0.status.identity != position.identity }
      .compactMap { TailPosition($0).asLate }.suffix(TailPosition.lateCapacity)
    return position
  }

  /// The path was opened for the first time, and another process read it before.
  ///
  /// The saved mark identifies the file that was being read: the one under the path, or one that was rotated since.
  /// Older files were read, newer ones were not. If no file has the mark, the files are searched for its remaining
  /// lines.
  mutating func resume(
    after position: TailPosition, _ token: FileToken, _ path: InspectedFile, _ found: [InspectedFile]
  ) -> [TailAction] {
    let status = path.status
    resumption = nil
    // It may come back under its name later.
    if position.mark.isTelling { finished = [FinishedFile(position)] }
    let (late, found) = takeLate(of: position, found)
    let place = Self.place(of: position, in: found, path: path)
    let isHere = place == .path
    var unread: [(segment: TailSegment, file: InspectedFile)] = []
    var actions: [TailAction] = []
    for file in found {
      guard let token = file.token else { continue }
      var segment = TailSegment(token: token, status: file.status, now: now, restart: .rotated)
      segment.supersededAt = now
      let isPlace = place == .rotated(file)
      if isPlace { segment.goOn(after: position, in: file) }
      var isYounger = file.status.modified > position.modified
      if case .rotated(let other) = place { isYounger = file.isYounger(than: other) }
      if isPlace || (!isHere && isYounger) {
        unread.append((segment, file))
      } else {
        known.insert(FileFingerprint(file.status))
        actions.append(.close(token))
      }
    }
    var last = TailSegment(
      token: token, status: status, now: now, restart: unread.isEmpty ? .began : .rotated)
    if isHere { last.goOn(after: position, in: path) }
    // A compaction recreates all of them, in any order.
    let areNumbered = unread.allSatisfy { $0.file.rotations != nil }
    unread.sort { older, younger in
      areNumbered
        ? younger.file.isYounger(than: older.file) : RotationOrder(older.file) < RotationOrder(younger.file)
    }
    segments = late + unread.map(\.segment) + [last]
    if place == .nowhere, position.mark.isTelling {
      segments[late.count].isPlaceLost = true
    }
    return actions + promoteFront()
  }

  /// The rotated files that were still watched: reading and watching them resumes.
  private func takeLate(
    of position: TailPosition, _ found: [InspectedFile]
  ) -> (late: [TailSegment], others: [InspectedFile]) {
    var others = found
    let late = position.late.enumerated().compactMap { index, known -> TailSegment? in
      let place = others.firstIndex { known.isIn($0.status) && $0.matches.contains(index) }
      guard let place, let token = others[place].token else { return nil }
      let status = others.remove(at: place).status
      var segment = TailSegment(token: token, status: status, now: now, restart: nil)
      segment.goOn(after: known)
      segment.supersededAt = now
      (segment.isRevisited, segment.mayGrow) = (true, false)
      return segment
    }
    return (late, others)
  }

  /// The file that a position refers to.
  private enum Place: Equatable {
    case path
    case rotated(InspectedFile)
    case nowhere
  }

  /// The file that was being read, or else a copy of it: the longest, if there are several.
  ///
  /// If the file still exists with other lines, it was copied and truncated. If it is gone, only lines that are never
  /// written twice prove that another file is a copy of it.
  private static func place(
    of position: TailPosition, in found: [InspectedFile], path: InspectedFile
  ) -> Place {
    if path.survivors != nil { return .path }
    if let file = found.first(where: { $0.survivors != nil }) { return .rotated(file) }
    // At the start there are no bytes to recognize the file by; it may have been rotated unread.
    if position.stream != nil, position.mark.isEmpty,
      let file = found.first(where: { $0.token != nil && position.isIn($0.status) })
    {
      return .rotated(file)
    }
    let isUnderPath = position.isIn(path.status)
    if isUnderPath, position.fits(path) { return .path }
    let open = found.filter { $0.token != nil }
    let itself = open.filter { position.isIn($0.status) }
    let fitting = open.filter { position.fits($0) }
    if let file = itself.first(where: fitting.contains) { return .rotated(file) }
    let wasCut = isUnderPath || !itself.isEmpty
    guard wasCut || position.lines.areTelling else { return .nowhere }
    if position.fits(path), !wasCut { return .path }
    return fitting.max { $0.status.size < $1.status.size }.map { .rotated($0) } ?? .nowhere
  }
}

extension InspectedFile {
  /// Compares by the numbers in the names, where older files have higher ones: a process with an old descriptor may
  /// write to the older file last.
  fileprivate func isYounger(than other: InspectedFile) -> Bool {
    guard let number = rotations, let otherNumber = other.rotations, number != otherNumber else {
      return RotationOrder(self) > RotationOrder(other)
    }
    return number < otherNumber
  }

  /// Number of rotations since it was the current file, if its name tells; more digits are a date.
  fileprivate var rotations: Int? {
    guard let ending = name.utf8.split(separator: UInt8(ascii: ".")).last, ending.count <= 3,
      ending.allSatisfy({ RotatedName.digits.contains($0) })
    else { return nil }
    return Int(String(decoding: ending, as: UTF8.self))
  }
}

extension RotationOrder {
  fileprivate init(_ file: InspectedFile) {
    self.init(modified: file.status.modified, name: file.name)
  }
}

extension TailSegment {
  /// Starts at a saved place.
  fileprivate mutating func goOn(after position: TailPosition, in file: InspectedFile? = nil) {
    if let place = file?.survivors {
      begin(at: place)
      restart = .compacted
      return
    }
    var trail = TailMarkTrail()
    if position.mark.isTelling { trail.append(position.mark) }
    goOn(after: trail, position.lines, restart: .resumed)
  }
}
