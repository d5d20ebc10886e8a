extension TailStateMachine {
  /// What the marks say about a file that was found.
  enum Verdict {
    case isNew
    /// It was read before up to the end of this file; `hasMore` if it has grown since.
    case read(FinishedFile, hasMore: Bool)
    /// Its content is that of a file that is held open and read through its descriptor.
    case isCopyOfHeld
    /// It is a copy of the file that was cut, with what was not read of it.
    case continues
  }

  /// A mark that is looked for in other files, and whose it is.
  struct AskedMark {
    enum Owner {
      case held(TailSegment)
      case finished(FinishedFile)
    }

    let owner: Owner
    let mark: TailMark
    /// It stands at the last line start that was read.
    let isEnd: Bool
  }

  /// Only marks at line starts: half lines begin so much alike that they prove nothing.
  func askedMarks() -> [AskedMark] {
    let owners =
      segments.map { (AskedMark.Owner.held($0), $0.trail) } + finished.map { (.finished($0), $0.trail) }
    return owners.flatMap { owner, trail in
      trail.marks.filter(\.isTelling).map { AskedMark(owner: owner, mark: $0, isEnd: $0 == trail.last) }
    }
  }

  /// - Parameter matches: indexes in ``askedMarks()`` of the marks that the file has.
  func verdict(_ matches: [Int], size: UInt64, cut: TailSegment?) -> Verdict {
    let asked = askedMarks()
    let hits = matches.filter(asked.indices.contains).map { asked[$0] }.sorted {
      $0.mark.offset > $1.mark.offset
    }
    // The mark furthest on tells most.
    for hit in hits {
      switch hit.owner {
      case .held(let segment):
        let isCut = segment.token == cut?.token
        if hit.isEnd { return isCut ? .continues : .isCopyOfHeld }
        if size < segment.lineStart, segment.trail.isPrefix(size, endingBehind: hit.mark) {
          return .isCopyOfHeld
        }
      case .finished(let file):
        if hit.isEnd { return .read(file, hasMore: size > file.lineStart) }
        if size < file.lineStart, file.trail.isPrefix(size, endingBehind: hit.mark) {
          return .read(file, hasMore: false)
        }
      }
    }
    return .isNew
  }
}
