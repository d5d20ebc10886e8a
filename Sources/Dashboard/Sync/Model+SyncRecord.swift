import Sync

// What the Sync screen knows of the record, and of which moment it is.
extension Model {
  /// Takes in what the feed has read since, and folds it up to the moment of the playhead.
  ///
  /// Only while the screen is shown: most dashboards never show it.
  mutating func refreshSync() {
    let entries = feed.sync
    let hasNews = entries.total != sync.taken
    if hasNews {
      sync.log.append(entries.after(sync.taken))
      sync.taken = entries.total
    }
    let moment = isFrozen ? live.content.edge : nil
    // Another play has begun, or the future had to make room.
    if sync.log.future(sync.branch) == nil { sync.branch = 0 }
    guard hasNews || moment != sync.moment || sync.branch != sync.pictured else { return }
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
    guard simulation.running else { return last }
    let due = max(last, simulation.nextAt ?? .infinity)
    guard let arrival = sync.log.arrival(of: sync.branch) else {
      let keepsOurTime = simulation.speed == 1 && abs(now - last) < Self.simulationLag
      return keepsOurTime ? min(due, max(now, last)) : last
    }
    let speed = max(0, min(simulation.speed, Self.fastest))
    return min(due, last + max(0, now - arrival) * speed)
  }

  /// A simulation whose newest entry is older than this, in seconds, is not played at this moment.
  private static let simulationLag = 60.0
  /// No simulation is played faster.
  private static let fastest = 60.0
}
