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
    guard hasNews || moment != sync.moment else { return }
    sync.moment = moment
    sync.picture = sync.log.picture(at: moment)
  }

  /// The time that the picture is of: the playhead's; else now, or for a simulation that does not keep our time
  /// that of its newest entry.
  var syncNow: Double {
    if let moment = sync.moment { return moment }
    guard let simulation = sync.picture.simulation, let last = sync.picture.lastTime else { return now }
    let keepsOurTime = simulation.running && simulation.speed == 1 && abs(now - last) < Self.simulationLag
    return keepsOurTime ? max(now, last) : last
  }

  /// A simulation whose newest entry is older than this, in seconds, is not played at this moment.
  private static let simulationLag = 60.0
}
