import JSONLines
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T4: whatever happens to a file, no line is doubled, and none is lost without a word`()
    async throws
  {
    try await Self.row("T4") { run in
      var real = 0
      while run.goesOn() {
        let round = run.done
        // One in ten on the real file system, by turns with inotify and polling.
        let setup = round % 10 == 0 ? TailSetup.allCases[round / 10 % TailSetup.allCases.count] : nil
        let mix: FileAction.Mix = [.gentle, .harsh, .harsh, .compacting, .gentle, .harsh][round % 6]
        let tally = Recorder<(written: Int, read: Int)>()
        let checker = ModelChecker<FileAction>(
          length: 60, action: { FileAction.random(mix, &$0) }, simpler: \.simpler,
          run: { actions, seed in
            if let setup {
              return Self.real(actions, mix, setup, seed) { tally.append(($0, $1)) }
            }
            return Self.inMemory(actions, mix, seed) { tally.append(($0, $1)) }
          })
        let failure = checker.check(seed: run.seed)
        if setup != nil { real += 1 }
        run.tally.expected += tally.all.first?.written ?? 0
        run.tally.got += tally.all.first?.read ?? 0
        if let failure {
          run.tally.bad += 1
          Issue.record("\(mix), \(setup.map { "\($0)" } ?? "in memory"): \(failure)")
        }
      }
      run.note =
        "\(real) of the sequences on the real file system; what is missing was cut away unread, and told of"
    }
  }

  private static func inMemory(
    _ actions: [FileAction], _ mix: FileAction.Mix, _ seed: UInt64, note: (Int, Int) -> Void
  ) -> String? {
    let files = MemoryFileSystem()
    files.makeDirectory("/")
    files.makeDirectory("/logs")
    // As with the coarse clocks of older kernels, where all happens at one moment.
    files.ticksPerChange = seed % 3 == 0 ? 0 : 1
    if seed % 2 == 0 { files.create("/logs/app.jsonl") }
    let reader = TailReader("/logs/app.jsonl", files)
    reader.look()
    var world = TailWorld(folder: "/logs", files: files, reader: reader, seed: seed)
    world.run(actions)
    note(world.written.count, reader.lines.count)
    // A file offered for another read holds one until it is let go.
    let held = files.openHandles - (reader.earlier == nil ? 0 : 1)
    return world.fault(isExact: mix == .gentle) ?? (held > 1 ? "\(held) descriptors are held" : nil)
  }

  private static func real(
    _ actions: [FileAction], _ mix: FileAction.Mix, _ setup: TailSetup, _ seed: UInt64,
    note: (Int, Int) -> Void
  ) -> String? {
    do {
      let reader = try RealTail(setup.watching)
      let files = RealActionFiles()
      if !setup.readsFirst { _ = files.hold(reader.path) }
      reader.start()
      var world = TailWorld(folder: reader.folder, files: files, reader: reader, seed: seed)
      world.run(actions)
      note(world.written.count, reader.lines.count)
      return world.fault(isExact: mix == .gentle)
    } catch {
      return "\(error)"
    }
  }
}

extension TailReader: Follower {
  var told: Int { gaps.count + restarts.filter { $0.reason != .began }.count }
  var isFollowing: Bool { states.last == .following }
  var fault: String? { jumps > 0 ? "offsets jump" : nil }
}

extension RealTail: Follower {
  var lines: [String] { self[dynamicMember: \.lines] }
  var told: Int { self.gaps.count + self.restarts.filter { $0 != .began }.count }
  var isFollowing: Bool { self.states.last == .following }
  var fault: String? { nil }
  func look(after seconds: Double) { pass(seconds) }
}
