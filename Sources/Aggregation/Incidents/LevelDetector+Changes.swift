import Essentials

extension LevelDetector {
  /// Passes a window to the rungs of the ladder, shortest first.
  mutating func watch(
    _ middle: Float, until time: Double, _ budget: DetectionBudget, _ onEnd: (Incident) -> Void
  ) {
    let error = 1.25 * noise / Float(max(1, min(24, window.count))).squareRoot()
    let floor = LevelRules.floor * unit
    // The start of a change matters only while a sum grows.
    let isOff = abs(middle - rungs[0].usual) > LevelRules.ladder[0].slack * rungs[0].deviation
    let splits =
      isOff ? StartTimes(previous, window, from: rungs[0].usual, middle, unit) : StartTimes(window.start)
    var (value, start, splitTime) = (middle, window.start, splits)
    walk.add(middle)
    defer { if changes.isEmpty { range.add(middle, error: max(error, walk.noise)) } }
    let wander = walk.variance / LevelRules.ladder[0].seconds
    for place in LevelRules.ladder.indices {
      let rule = LevelRules.ladder[place]
      let least = max(floor, error / Float(place * 2 + 1))
      if let alarm = rungs[place].record(
        value, floor: least, split: splitTime, rule, unit, wander: wander, budget)
      {
        if isOrdinary(alarm, place) {
          return rungs[place].rebase(to: alarm.level)
        }
        return begin(alarm, at: time, place, budget, onEnd)
      }
      guard place + 1 < LevelRules.ladder.count else { return }
      if place + 1 >= rungs.count {
        rungs.append(ChangeRung())
        means.append(WindowMean())
      }
      means[place].add(value, from: start)
      let mean = means[place]
      guard mean.count >= 3, time - mean.start >= Double(LevelRules.ladder[place + 1].seconds) - 5 else {
        return
      }
      (value, start, splitTime) = (mean.mean, mean.start, StartTimes(mean.start))
      means[place] = WindowMean()
    }
  }

  /// True if the level was there before, or if a ramp is no longer than the wandering of the level explains.
  private func isOrdinary(_ alarm: RungAlarm, _ place: Int) -> Bool {
    let ramp = place == 1 ? rungs[1].ramp(alarm.side) : nil
    if let ramp {
      let windows = Float(ramp.age) * LevelRules.ladder[1].seconds / LevelRules.ladder[0].seconds
      return abs(alarm.level - alarm.usual) < LevelRules.wander * (walk.variance * windows).squareRoot()
    }
    return place < 2 && changes.isEmpty && !range.isNew(alarm.level, side: alarm.side)
  }

  /// Updates the reported changes with a window, and ends those that are over.
  mutating func follow(_ middle: Float, _ onEnd: (Incident) -> Void) {
    for place in changes.indices {
      let change = changes[place]
      let last = change.isNearUsual(middle, OpenChange.near) ? lastUnusual(of: change) : window.lastTime
      let end = changes[place].follow(middle, until: window.lastTime, returned: last)
      note(place)
      guard let end else { continue }
      guard case .returned = end else {
        onEnd(changes.remove(at: place).ended(end))
        return
      }
      // A newer change ends with the older one.
      for change in changes[place...] { onEnd(change.ended(end)) }
      changes.removeLast(changes.count - place)
      return rebase(to: change.usual)
    }
  }

  private func lastUnusual(of change: OpenChange) -> Double {
    SampleWindow.split(previous, window, from: change.level, to: change.usual).last
  }

  /// Updates the incident of an open change.
  private mutating func note(_ place: Int) {
    let course = rungs.count > 1 && rungs[1].isReady(LevelRules.ladder[1]) ? rungs[1].deviation : 0
    changes[place].describe(scale, course: course)
    let incident = changes[place].incident
    let extreme = incident.isRise ? high : low
    let isFarther = incident.isRise ? extreme.value > incident.peak : extreme.value < incident.peak
    if isFarther, extreme.time >= incident.start {
      (changes[place].incident.peak, changes[place].incident.peakTime) = (extreme.value, extreme.time)
    }
  }

  /// Reports a change, or the continuation or end of the newest one.
  mutating func begin(
    _ alarm: RungAlarm, at time: Double, _ place: Int, _ budget: DetectionBudget,
    _ onEnd: (Incident) -> Void
  ) {
    if let newest = changes.last {
      if newest.isNearUsual(alarm.level) {
        keepExtremes(budget)
        note(changes.count - 1)
        onEnd(changes.removeLast().ended(.returned(max(newest.incident.start, alarm.last ?? alarm.start))))
        return rebase(to: newest.usual)
      }
      if newest.goesOn(alarm) {
        changes[changes.count - 1].extend(to: alarm.level, at: time)
        return rebase(to: alarm.level)
      }
      if changes.count > 1 { onEnd(changes.removeFirst().ended(.adopted(time))) }
    }
    var alarm = alarm
    let ramp = place == 0 ? nil : rungs[place].ramp(alarm.side)
    if let ramp { alarm.start = time - Double(ramp.age) * Double(LevelRules.ladder[place].seconds) }
    var incident = Incident(
      kind: ramp != nil ? .drift : alarm.side > 0 ? .above : .below, start: alarm.start,
      peak: scale.value(alarm.level), usual: scale.value(alarm.usual))
    incident.found = time
    incident.score = Double(abs(alarm.level - alarm.usual) / max(alarm.deviation, 1e-6))
    if let ramp { setSlope(ramp, alarm.level, Double(LevelRules.ladder[place].seconds), &incident) }
    changes.append(OpenChange(incident, alarm, at: time))
    note(changes.count - 1)
    rebase(to: alarm.level)
  }

  private func setSlope(_ ramp: Ramp, _ level: Float, _ seconds: Double, _ incident: inout Incident) {
    let factor = scale.isLogarithmic ? scale.value(level) : 1
    incident.slope = Double(ramp.slope) * factor * 60 / seconds
    incident.slopeMargin = Double(ramp.margin) * factor * 60 / seconds
  }

  /// Makes a level the usual one of all rungs.
  private mutating func rebase(to level: Float) {
    for place in rungs.indices where !rungs[place].windows.isEmpty { rungs[place].rebase(to: level) }
    for place in means.indices { means[place] = WindowMean() }
    (far, usual) = (FarRun(), level)
  }

  // MARK: - Single samples

  /// Handles a sample beyond the tail.
  mutating func meetFar(
    _ distance: Float, _ scaled: Float, _ value: Double, at time: Double, _ budget: DetectionBudget,
    _ onEnd: (Incident) -> Void
  ) {
    let side: Float = distance > 0 ? 1 : -1
    if far.count > 0, far.side != side { far = FarRun() }
    if far.count == 0 { far.before = window.count > 1 ? lastTime : previous.lastTime }
    far.add(scaled, value, side, distance, at: time)
    guard far.count >= LevelRules.levelCount else { return }
    if changes.isEmpty, !range.isNew(far.mean, side: side) {
      rungs[0].rebase(to: far.mean)
      return (far, usual) = (FarRun(), rungs[0].usual)
    }
    let alarm = RungAlarm(
      side: side, start: far.start, usual: rungs[0].usual, level: far.mean,
      deviation: max(rungs[0].deviation, LevelRules.floor * unit), count: 1, last: far.before)
    if far.extreme.value > high.value { high = far.extreme }
    if far.extreme.value < low.value { low = far.extreme }
    begin(alarm, at: time, 0, budget, onEnd)
    // Otherwise the window would mix the old and the new level.
    previous = window
    window.reset()
  }

  /// Handles a usual sample after far ones.
  mutating func meetCalm(_ onEnd: (Incident) -> Void) {
    far.calm += 1
    guard far.calm >= LevelRules.calmCount else { return }
    // The first samples of a return are not outliers.
    if changes.contains(where: { $0.isNearUsual(far.mean) }) { return far = FarRun() }
    var incident = Incident(
      kind: .outlier, start: far.start, peak: far.extreme.value, usual: scale.value(rungs[0].usual))
    incident.peakTime = far.extreme.time
    incident.found = far.extreme.time
    incident.count = Int(far.count)
    incident.score = Double(far.distance / max(noise, LevelRules.floor * unit))
    incident.end = .returned(far.lastTime)
    far = FarRun()
    onEnd(incident)
  }
}

/// Consecutive samples beyond the tail.
struct FarRun: Sendable, Equatable {
  private(set) var count: Int32 = 0
  var calm: Int32 = 0
  /// Time of the sample before the first far one.
  var before = 0.0
  private(set) var side: Float = 0
  private(set) var start = 0.0
  private(set) var lastTime = 0.0
  private(set) var distance: Float = 0
  private(set) var extreme = LevelDetector.Extreme()
  private var sum: Float = 0

  var mean: Float { count > 0 ? sum / Float(count) : 0 }

  mutating func add(_ scaled: Float, _ value: Double, _ side: Float, _ distance: Float, at time: Double) {
    if count == 0 { (start, self.side) = (time, side) }
    if abs(distance) > self.distance {
      (self.distance, extreme) = (abs(distance), LevelDetector.Extreme(value: value, time: time))
    }
    count += 1
    calm = 0
    sum += scaled
    lastTime = time
  }
}
