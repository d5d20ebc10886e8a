import Aggregation
package import Platform
package import TerminalUI

/// The loop: waits, folds events into the model, draws changes, performs effects.
///
/// `update` makes all decisions, `view` does all drawing. The loop only sets the pace: a change after a pause is drawn
/// at once, later ones at most sixty times per second (thirty while no key is pressed), and without a change it sleeps.
package final class Program {
  /// Clocks and waiting, replaced by tests.
  package struct Environment {
    package var now: () -> Timestamp
    package var steady: () -> MonotonicInstant
    /// Waits until a descriptor is readable or the time is over (`nil`: no limit); returns the readable ones.
    package var wait: (_ descriptors: [Int32], _ seconds: Double?) -> Set<Int32>
    /// Shows a line of a file in the user's editor and waits for its end; returns the reason for a failure, as a
    /// sentence.
    package var edit: (_ path: String, _ line: Int) -> String? = { _, _ in "There is no editor" }

    /// Starts the command of a limit without waiting; returns the reason for a failure, as a sentence.
    package var start: (LimitCommand) -> String? = { _ in nil }

    /// Writes new files without overwriting any; returns the outcome as a sentence.
    package var write: ([NewFile]) -> String = { _ in "Nothing can be written here" }

    package init(
      now: @escaping () -> Timestamp, steady: @escaping () -> MonotonicInstant,
      wait: @escaping (_ descriptors: [Int32], _ seconds: Double?) -> Set<Int32>
    ) {
      self.now = now
      self.steady = steady
      self.wait = wait
    }
  }

  /// Minimum seconds between two frames.
  static let frameInterval = 1.0 / 60
  /// The same while only samples arrive: figures that change sixty times a second are unreadable, and a slow connection
  /// to the terminal is soon saturated.
  static let feedInterval = 1.0 / 30
  /// Seconds after a key press during which anything that arrives counts as its answer and is drawn at once.
  static let answerTime = 1.0

  private let backend: any TerminalBackend
  private let feed: any Feed
  private let history: (any HistoryClient)?
  private let simulator: (any Simulator)?
  private let worker: any Worker
  private let keep: (HistoryNotes) -> String?
  private let environment: Environment
  package private(set) var model: Model
  private var lastFrame = MonotonicInstant.distantPast
  /// The time of the last frame caused by samples.
  private var lastFeedFrame = MonotonicInstant.distantPast
  /// The time of the last input.
  private var lastInput = MonotonicInstant.distantPast
  private var inputDeadline: MonotonicInstant?
  /// The time at which the model next changes by itself.
  private var nextChange: Timestamp?
  private var hasNews = true
  /// True if the news includes samples.
  private var isFeedNews = false
  /// True if the history has news; initially true, to find out if there is a history.
  private var hasHistoryNews = true
  /// True if the simulator has messages.
  private var hasWords = false
  /// True if the worker has results.
  private var hasResults = false
  private var waiting: [InputEvent] = []
  private var isDone = false
  /// True if the history was told to prepare, once everything present at the opening has been read and the cores are
  /// idle.
  private var isPrepared = false
  /// True if the program did not end at the user's request.
  package private(set) var hasLostTerminal = false

  /// - Parameters:
  ///   - history: answers questions about the history; `nil` for no history.
  ///   - simulator: plays simulations that can be controlled with keys; `nil` for none.
  ///   - worker: performs computations that take longer than a frame.
  ///   - keep: saves the user's notes beyond this run; returns the reason for a failure.
  package init(
    backend: any TerminalBackend, feed: any Feed, history: (any HistoryClient)? = nil,
    simulator: (any Simulator)? = nil, worker: any Worker = BackgroundWorker(), model: Model,
    environment: Environment,
    keep: @escaping (HistoryNotes) -> String? = { _ in nil }
  ) {
    self.backend = backend
    self.feed = feed
    self.history = history
    self.simulator = simulator
    self.worker = worker
    self.keep = keep
    self.model = model
    self.environment = environment
  }

  /// Runs until the user quits or the terminal is lost.
  package func run() {
    while !isDone { step() }
  }

  /// One turn: draws a frame if one is due, then waits for the next event.
  package func step() {
    if hasNews, environment.steady() >= earliestFrame { draw() }
    guard !isDone else { return }
    let readable = environment.wait(descriptors, timeout)
    if readable.contains(feed.wakeDescriptor) { (hasNews, isFeedNews) = (true, true) }
    if let history, readable.contains(history.wakeDescriptor) { (hasNews, hasHistoryNews) = (true, true) }
    if let simulator, readable.contains(simulator.wakeDescriptor) { (hasNews, hasWords) = (true, true) }
    if readable.contains(worker.wakeDescriptor) { (hasNews, hasResults) = (true, true) }
    let steady = environment.steady()
    let isInput = backend.descriptors.contains(where: readable.contains)
    if isInput || inputDeadline.map({ $0 <= steady }) ?? false { readInput(at: steady) }
    if let nextChange, nextChange <= environment.now() { hasNews = true }
  }

  /// The earliest time of the next frame.
  ///
  /// The first frame of a file is never delayed. A change driven by the clock, such as the window's edge, delays
  /// samples that arrive right after it by at most one frame.
  private var earliestFrame: MonotonicInstant {
    if !model.session.feed.status.isCaughtUp || model.session.feed.store.recorded == 0 { return .distantPast }
    let soonest = lastFrame + Self.frameInterval
    let isAnswer = lastFrame - lastInput < Self.answerTime
    return isFeedNews && waiting.isEmpty && !isAnswer
      ? max(soonest, lastFeedFrame + Self.feedInterval) : soonest
  }

  /// Feed, history and simulator are not polled while news is pending: their descriptors stay readable until the next
  /// frame.
  private var descriptors: [Int32] {
    guard !hasNews else { return backend.descriptors }
    let others = [history?.wakeDescriptor, simulator?.wakeDescriptor, worker.wakeDescriptor].compactMap(
      \.self)
    return backend.descriptors + [feed.wakeDescriptor] + others
  }

  private var timeout: Double? {
    let steady = environment.steady()
    var moments: [Double] = []
    if let inputDeadline { moments.append(inputDeadline - steady) }
    if hasNews {
      moments.append(earliestFrame - steady)
    } else if let nextChange {
      moments.append(nextChange - environment.now())
    }
    return moments.min().map { max(0, $0) }
  }

  private func readInput(at steady: MonotonicInstant) {
    let input = backend.readEvents(now: steady.seconds)
    inputDeadline = input.deadline.map { MonotonicInstant(notBefore: $0) }
    waiting += input.events
    if !input.events.isEmpty { (hasNews, lastInput) = (true, steady) }
  }

  private func draw() {
    lastFrame = environment.steady()
    if isFeedNews { lastFeedFrame = lastFrame }
    (hasNews, isFeedNews) = (false, false)
    var messages: [Message] = [.clock(environment.now()), .feed(feed.snapshot())]
    if hasHistoryNews, let history { messages.append(.history(history.news())) }
    hasHistoryNews = false
    if hasWords, let simulator { messages += simulator.sentences().map(Message.said) }
    hasWords = false
    if hasResults { messages += worker.results().map { Message.worked($0.id, $0.result) } }
    hasResults = false
    messages += waiting.map(Message.input)
    waiting = []
    for effect in update(&model, messages) { perform(effect) }
    if !isPrepared, model.session.feed.status.isLoaded {
      isPrepared = true
      history?.prepare()
    }
    guard !isDone else { return }
    nextChange = model.nextChange
    guard model.linear == nil else { return }
    let frame = view(model)
    backend.present(frame.buffer, cursor: frame.cursor)
  }

  private func perform(_ effect: Effect) {
    switch effect {
    case .quit: isDone = true
    case .giveUp: (isDone, hasLostTerminal) = (true, true)
    case .suspend: backend.perform(.suspend)
    case .redraw: backend.perform(.redraw)
    case .copy(let text): backend.perform(.copy(text))
    case .say(let text): backend.perform(.line(text))
    case .mouse(let isOn): backend.perform(.mouse(isOn))
    case .bell: backend.perform(.bell)
    case .run(let command): if let problem = environment.start(command) { send(.said(problem)) }
    case .findLine(let query): send(.line(feed.line(of: query), query))
    case .readLine(let rejection, let selection):
      send(.rejectedLine(feed.line(of: rejection), selection: selection))
    case .narrow(let scope): feed.narrow(to: scope)
    case .ask(let query): history?.ask(query)
    case .findIncidents: history?.findIncidents(model.session.sensitivity)
    case .export(let request): history?.export(request)
    case .cancelWork: history?.cancel()
    case .work(let work): worker.start(work)
    case .write(let files, let words): send(.said("\(environment.write(files)): \(words)"))
    case .edit(let path, let line): edit(path, line)
    case .simulate(let order): simulator?.take(order)
    case .keep(let notes): if let problem = keep(notes) { send(.said(problem)) }
    }
  }

  /// Sends an effect's result to the model.
  private func send(_ message: Message) {
    for effect in update(&model, message) { perform(effect) }
  }

  /// Lends the terminal to the user's editor; input during that time is handled afterwards.
  private func edit(_ path: String, _ line: Int) {
    backend.perform(.lend)
    let problem = environment.edit(path, line)
    backend.perform(.takeBack)
    // Resizes in the meantime were reported to the editor.
    if backend.size != model.session.size { send(.input(.resize(backend.size))) }
    send(.clock(environment.now()))
    if let problem { send(.said(problem)) }
    hasNews = true
  }
}

extension MonotonicInstant {
  /// The first instant not before `seconds`, so that a backend asked again has reached its deadline.
  fileprivate init(notBefore seconds: Double) {
    let nearest = MonotonicInstant(seconds)
    self = nearest.seconds < seconds ? nearest.advanced(byNanoseconds: 1) : nearest
  }
}
