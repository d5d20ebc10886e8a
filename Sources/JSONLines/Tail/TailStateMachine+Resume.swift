import Platform

extension TailStateMachine {
  /// How far it has read, to be saved; `nil` while no file was read.
  package var position: TailPosition? {
    segments.first { !$0.isRevisited }.map(TailPosition.init) ?? left ?? resumption
  }

  /// The path was opened for the first time and was read before, by another process.
  ///
  /// The saved mark says which file was being read: the one under the path, or one that was rotated since. What is
  /// older was read; what is younger was not. A file that was rewritten meanwhile is searched for the mark.
  mutating func resume(
    after position: TailPosition, _ token: FileToken, _ status: FileStatus, _ matches: [Int],
    _ found: [InspectedFile]
  ) -> [TailAction] {
    resumption = nil
    let isHere = !matches.isEmpty
    let place = isHere ? nil : Self.place(of: position, in: found)
    var unread: [(segment: TailSegment, order: RotationOrder)] = []
    var actions: [TailAction] = []
    for file in found {
      guard let token = file.token else { continue }
      let order = RotationOrder(modified: file.status.modified, name: file.name)
      var segment = TailSegment(token: token, status: file.status, now: now, restart: .rotated)
      segment.supersededAt = now
      let isPlace = file == place
      if isPlace { segment.goOn(after: trail(of: position), restart: .resumed) }
      let isYounger =
        place.map { order > RotationOrder(modified: $0.status.modified, name: $0.name) }
        ?? (file.status.modified > position.modified)
      if isPlace || (!isHere && isYounger) {
        unread.append((segment, order))
      } else {
        known.insert(FileFingerprint(file.status))
        actions.append(.close(token))
      }
    }
    var last = TailSegment(
      token: token, status: status, now: now, restart: unread.isEmpty ? .began : .rotated)
    if isHere { last.goOn(after: trail(of: position), restart: .resumed) }
    segments = unread.sorted { $0.order < $1.order }.map(\.segment) + [last]
    for index in segments.indices.dropFirst() { segments[index].lastLine = .ofPredecessor }
    if !isHere, place == nil, position.mark.isTelling {
      segments[0].lastLine = .known(position.mark)
      segments[0].isPlaceLost = true
    }
    return actions + promoteFront()
  }

  /// The rotated file that was being read; where copies of it lie about, the file itself, else the longest.
  private static func place(of position: TailPosition, in found: [InspectedFile]) -> InspectedFile? {
    let fitting = found.filter { $0.token != nil && !$0.matches.isEmpty }
    return fitting.first { $0.status.identity == position.identity }
      ?? fitting.max { $0.status.size < $1.status.size }
  }

  private func trail(of position: TailPosition) -> TailMarkTrail {
    var trail = TailMarkTrail()
    trail.append(position.mark)
    return trail
  }
}
