import Platform

extension TailStateMachine {
  /// The verdict of the marks on a file found beside the path.
  enum Verdict {
    case isNew
    /// It was already read up to the end of this file; `hasMore` if it has grown since.
    case read(FinishedFile, hasMore: Bool)
    /// It has the contents of a file that is held open and read through its descriptor; `mayHaveMore` if that was
    /// truncated since, so that the copy is needed once the truncation is noticed.
    case isCopyOfHeld(mayHaveMore: Bool)
    /// It is a copy of the truncated file, with its unread lines.
    case continues
  }

  /// The owner of marks that are looked for in other files.
  private enum Owner {
    case held(TailSegment)
    case finished(FinishedFile)

    var trail: TailMarkTrail {
      switch self {
      case .held(let segment): segment.trail
      case .finished(let file): file.trail
      }
    }

    /// Only marks at line starts: half lines start so similarly that they prove nothing.
    var marks: [TailMark] { trail.marks.filter(\.isTelling) }
  }

  private var owners: [Owner] { segments.map { .held($0) } + finished.map { .finished($0) } }

  /// The marks to look for in other files, each at its own offset.
  var askedMarks: [TailMark] { owners.flatMap(\.marks) }

  /// The record of an earlier reading, if it is the same file: a new one with a reused number has other bytes.
  func earlierReading(of file: InspectedFile) -> FinishedFile? {
    guard case .read(let known, _) = verdict(file, cut: nil, isFrontCut: false), known.isSame(as: file.status)
    else { return nil }
    return known
  }

  /// The verdict on a file beside the path.
  ///
  /// All marks inside it must match, and a mark with a file number must belong to this file. Otherwise it may be a
  /// copy, but also another file with a few repeated lines. It counts as a copy if one is expected, because the file
  /// was truncated, and if its lines are of a kind that is never written twice.
  func verdict(_ file: InspectedFile, cut: TailSegment?, isFrontCut: Bool) -> Verdict {
    let matches = Set(file.matches)
    var best: (offset: UInt64, verdict: Verdict)?
    var first = 0
    for owner in owners {
      let marks = owner.marks
      let within = marks.prefix { $0.offset <= file.status.size }
      // The last mark is the strongest evidence.
      if let last = within.last, (first..<first + within.count).allSatisfy(matches.contains),
        last.offset > best?.offset ?? 0,
        let verdict = verdict(file, fits: owner, upTo: last, cut: cut, isFrontCut: isFrontCut)
      {
        best = (last.offset, verdict)
      }
      first += marks.count
    }
    return best?.verdict ?? .isNew
  }

  private func verdict(
    _ file: InspectedFile, fits owner: Owner, upTo mark: TailMark, cut: TailSegment?, isFrontCut: Bool
  ) -> Verdict? {
    let size = file.status.size
    let isEnd = mark == owner.trail.last
    switch owner {
    case .held(let segment):
      let isFront = segment.token == segments.first?.token
      if isEnd, segment.token == cut?.token { return .continues }
      if isEnd, isFront, isFrontCut { return .isCopyOfHeld(mayHaveMore: true) }
      guard segment.lines.areTelling, isEnd || (isFront && file.isPrefix) else { return nil }
      return .isCopyOfHeld(mayHaveMore: false)
    case .finished(let known):
      let isSame = known.isSame(as: file.status)
      if isEnd, isSame || known.wasCut || known.lines.areTelling {
        return .read(known, hasMore: size > known.lineStart)
      }
      guard isSame, size < known.lineStart, known.trail.isPrefix(size, endingBehind: mark) else { return nil }
      return .read(known, hasMore: false)
    }
  }
}
