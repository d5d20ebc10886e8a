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
    let isEnd: Bool
  }

  func askedMarks() -> [AskedMark] {
    var asked: [AskedMark] = []
    for segment in segments {
      let owner = AskedMark.Owner.held(segment)
      if let mark = segment.mark { asked.append(AskedMark(owner: owner, mark: mark, isEnd: true)) }
      asked += segment.trail.marks.map { AskedMark(owner: owner, mark: $0, isEnd: false) }
    }
    for file in finished {
      let owner = AskedMark.Owner.finished(file)
      if let mark = file.end { asked.append(AskedMark(owner: owner, mark: mark, isEnd: true)) }
      asked += file.trail.marks.map { AskedMark(owner: owner, mark: $0, isEnd: false) }
    }
    return asked
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
        if size < segment.offset, segment.trail.last(within: size) == hit.mark { return .isCopyOfHeld }
      case .finished(let file):
        if hit.isEnd { return .read(file, hasMore: size > file.offset) }
        if size < file.offset, file.trail.last(within: size) == hit.mark {
          return .read(file, hasMore: false)
        }
      }
    }
    return .isNew
  }
}
