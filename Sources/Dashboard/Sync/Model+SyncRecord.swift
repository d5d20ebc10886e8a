import Sync

// What the Sync screen knows of the record, and of which moment it is.
extension Model {
  /// So many entries are taken in at once: a long record must not keep a key waiting.
  static let syncPiece = 4_000

  /// How many entries of the feed are still to be taken in while the Sync screen is shown.
  package var syncBacklog: Int { screen == .sync ? feed.sync.total - sync.taken : 0 }

  /// Takes in what the feed has read since, and folds it up to the moment of the playhead.
  ///
  /// Only while the screen is shown: most dashboards never show it. Of much the rest comes with the next pictures.
  mutating func refreshSync() {
    let entries = feed.sync
    if entries.generation != sync.generation {
      (sync.log, sync.taken, sync.generation) = (SyncLog(), 0, entries.generation)
    }
    let new = entries.after(sync.taken, limit: Self.syncPiece)
    sync.log.append(new)
    sync.taken = max(sync.taken, entries.forgotten) + new.count
    let moment = isFrozen ? live.content.edge : nil
    sync.followFutures()
    guard !new.isEmpty || moment != sync.moment || sync.branch != sync.pictured else { return }
    (sync.moment, sync.pictured) = (moment, sync.branch)
    sync.picture = sync.log.picture(of: sync.branch, at: moment)
  }

  /// The time that the picture is of: the playhead's; else now, or for a simulation the time that it has come to.
  ///
  /// Between two entries a simulation's time goes on at its speed, up to what it says is due next. Of one that was
  /// there at the opening nobody knows when it was written: it stands at its newest entry unless it keeps our time.
  var syncNow: Double {
    if let moment = sync.moment { return moment }
    guard let simulation = sync.picture.simulation, let last = sync.picture.lastTime else { return now }
    let pace = syncPace
    guard pace > 0 else { return last }
    let elapsed = sync.log.arrival(of: sync.branch).map { (now - $0) * pace } ?? (now - last)
    return min(last + max(0, elapsed), max(last, simulation.nextAt ?? .infinity))
  }

  /// How fast the time of the picture goes on; 1 is as fast as ours, 0 is not at all.
  private var syncPace: Double {
    guard sync.moment == nil, let last = sync.picture.lastTime else { return 0 }
    guard let simulation = sync.picture.simulation else { return 1 }
    guard simulation.running else { return 0 }
    if sync.log.arrival(of: sync.branch) != nil { return max(0, min(simulation.speed, Self.fastest)) }
    return simulation.speed == 1 && abs(now - last) < Self.simulationLag ? 1 : 0
  }

  /// When something on the Sync screen changes by itself, on the wall clock; `nil` when nothing does.
  var syncDeadline: Double? {
    guard screen == .sync else { return nil }
    if syncBacklog > 0 { return now }
    let pace = syncPace
    guard pace > 0, let last = sync.picture.lastTime else { return nil }
    let breaker = sync.picture.breaker?.value
    let isCounting = breaker?.until != nil && sync.picture.isBreakerOpen(at: syncNow)
    if let simulation = sync.picture.simulation {
      // It waits for its own next entry, which may never come.
      if let due = simulation.nextAt, syncNow >= due { return nil }
    } else {
      // Nobody watches the ages of a file that nobody has written to for long; a countdown comes to its end.
      guard now - last <= (isCounting ? Self.longestCountdown : live.window) else { return nil }
    }
    let step = isCounting || pace > Self.slowest ? 0.1 : 1
    return max(((now / step).rounded(.down) + 1) * step, now + step / 100)
  }

  /// A simulation whose newest entry is older than this, in seconds, is not played at this moment.
  private static let simulationLag = 60.0
  /// No simulation is played faster.
  private static let fastest = 60.0
  /// At a faster pace a second is too long to stand still.
  private static let slowest = 2.0
  /// No breaker is open for longer, in seconds.
  private static let longestCountdown = 86_400.0
}
