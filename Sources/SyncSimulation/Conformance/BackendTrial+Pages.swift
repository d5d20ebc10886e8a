import Sync

// Contracts of batches and pages.
extension BackendTrial {
  /// A batch answers every item, and applies none twice.
  mutating func checkBatch() async {
    guard kind.batchSize > 1, kind.batched.contains(.create) else { return }
    let taken = create()
    await push(taken, "a create is taken")
    let new = [create(), create(), create()]
    // The refused item is in the middle, so that positions and ids cannot be confused.
    let batch = [new[0], item(.create, taken.entity, members()), new[1], new[2]]
    await checkAnswers(to: batch, refused: 1)
    await checkAnswers(to: batch, refused: 1)
    let changes = await feed(since: start)
    for item in new {
      let count = changes.count { $0.entity == item.entity }
      expect(
        count == 1, "each item of a batch that is sent twice makes one entity",
        "the feed has \(count) changes of one")
    }
  }

  private mutating func checkAnswers(to batch: [PushItem], refused: Int) async {
    let kind = kind
    let called = await attempt("a batch is answered") { try await $0.push(batch: batch, of: kind) }
    guard let answer = called else { return }
    expect(
      (answer.taken + answer.failures.map(\.position)).allSatisfy(batch.indices.contains),
      "the places in the answer to a batch are those of its items",
      "\(answer.taken) \(answer.failures.map(\.position))")
    for (place, item) in batch.enumerated() {
      let failure = answer.failures.first { $0.position == place }
      let isTaken = answer.taken.contains(place) || answer.created.contains { $0.id == item.entity.id }
      if place != refused {
        expect(failure == nil, "a batch takes what is in order", "item \(place): \(failure?.code ?? "")")
        expect(isTaken || failure != nil, "a batch answers each item", "nothing is said of item \(place)")
        continue
      }
      expect(
        failure.map { $0.status == 409 || DuplicateReport.isCode($0.code) } ?? false,
        "an item of a batch whose id is taken is refused as a duplicate",
        failure.map { "\($0.code) \($0.status.map { "\($0)" } ?? "")" }
          ?? (isTaken ? "it was taken" : "nothing is said"))
    }
  }

  /// Pages of the feed and the list contain everything exactly once, for any page size.
  mutating func checkPaging() async {
    for _ in 0..<7 { await push(create(), "a create is taken") }
    let whole = await feed(since: start)
    let pages = await pages(since: start, limit: 3)
    expect(
      pages.flatMap(\.changes) == whole, "small pages have the same changes as large ones, once and in order",
      "\(pages.map(\.changes.count)) for \(whole.count)")
    expect(
      pages.count > 1, "hasMore says that there are more changes than came",
      "one page of \(pages.first?.changes.count ?? 0)")
    for (place, page) in pages.enumerated().dropLast() {
      let rest = await feed(since: page.cursor)
      expect(
        rest == pages[(place + 1)...].flatMap(\.changes),
        "from the cursor of a page on comes the rest, and nothing twice",
        "\(rest.count) changes after page \(place + 1)")
    }
    let inPieces = await entities(limit: 3)
    let atOnce = await entities()
    expect(
      Set(inPieces.map(\.id)).count == inPieces.count && Set(inPieces) == Set(atOnce),
      "small pages of a list have each entity once", "\(inPieces.count) for \(atOnce.count)")
    await checkEnd(after: pages.last?.cursor)
  }

  private mutating func checkEnd(after cursor: SyncCursor?) async {
    let called = await attempt("the newest cursor is told") { try await $0.latestCursor() }
    for cursor in [called, cursor].compactMap(\.self) {
      let new = await feed(since: cursor)
      expect(
        new.isEmpty, "nothing comes after the newest cursor", "\(new.count) changes came after \(cursor)")
    }
  }
}
