import Essentials

extension ClientCore {
  /// Handles everything due.
  package mutating func tick() {
    begin(step: "timePassed", by: .timer)
    handle(.timePassed)
    finishStep()
  }

  /// Handles the outcome of the exchange with that number.
  package mutating func conclude(
    _ sequence: Int, _ result: Result<DeliveryAnswer, TransportFailure>
  ) {
    begin(step: "concluded", by: .server)
    conclude(sequence, Concluded(result, now: environment.clock.wallTime))
    finishStep()
  }

  private mutating func conclude(_ sequence: Int, _ concluded: Concluded) {
    guard let sending, sending.batch.sequence == sequence else { return }
    self.sending = nil
    lastAnswer = concluded.status.map(String.init) ?? concluded.error
    recordBatch(sending, concluded)
    let size = sending.batch.events.count
    switch concluded.outcome {
    case .answered(let status, _): log(.debug, "Batch \(sequence) of \(size) events: \(status).")
    case .unanswered:
      log(
        .debug,
        "Batch \(sequence) of \(size) events: no answer, \(concluded.error ?? ""). \(concluded.detail ?? "")")
    case .notEncodable: log(.error, "Batch \(sequence) of \(size) events cannot be encoded: it is dropped.")
    }
    if case .answered(let status, _) = concluded.outcome, 200..<300 ~= status {
      noteKept(sending.batch.events)
    }
    refusal = Refusal(events: sending.batch.events, concluded)
    handle(.concluded(sequence: sequence, concluded.outcome))
    refusal = nil
  }

  /// Lets the machine decide, and performs its actions, including those in response to the disk.
  mutating func handle(_ event: DeliveryMachine.Event) {
    var waiting = ArraySlice(decide(event))
    while let action = waiting.popFirst() {
      let answer = perform(action)
      if let answer { waiting = decide(answer) + waiting }
    }
  }

  private mutating func decide(_ event: DeliveryMachine.Event) -> ArraySlice<DeliveryMachine.Action> {
    ArraySlice(machine.handle(event, at: environment.clock.now, using: &generator))
  }

  /// Performs an action.
  ///
  /// - Returns: The disk's answer, as an event.
  private mutating func perform(_ action: DeliveryMachine.Action) -> DeliveryMachine.Event? {
    switch action {
    case .read(let limit): return read(limit)
    case .store(let place, let events): return store(events, place)
    case .remove(let count): return remove(count)
    case .clearDisk: clearDisk()
    case .send(let batch): send(batch)
    case .cancel(let sequence): cancel(sequence)
    case .drop(let cause, let ids, let count): drop(cause, ids, count)
    case .delivered(let count): deliveredCount += count
    case .disable(let status): disable(status)
    case .endFlush: endFlush()
    }
    return nil
  }

  private mutating func send(_ batch: DeliveryMachine.Batch) {
    do {
      let body = try body(of: batch)
      guard let url = options.endpoint else { throw BodyError() }
      var headers = [DeliveryRequest.Header("Content-Type", "application/json")]
      if options.compressesBodies { headers.append(.init("Content-Encoding", "gzip")) }
      if isTracing { headers.append(.init("Trace", "true")) }
      sending = Sending(batch: batch, bytes: body.count, start: environment.clock.now)
      requestCount += 1
      effects.append(
        .send(
          DeliveryRequest(url: url, headers: headers, body: body, timeout: machine.configuration.timeout),
          sequence: batch.sequence))
    } catch {
      sending = Sending(batch: batch, bytes: 0, start: environment.clock.now)
      conclude(batch.sequence, Concluded(notEncodable: error))
    }
  }

  private func body(of batch: DeliveryMachine.Batch) throws -> Data {
    let bytes = BatchBody.bytes(batch.events, sentAt: environment.clock.wallTime)
    return try environment.encodeBody(Data(bytes), options)
  }

  /// Cancels an exchange; its outcome no longer counts.
  private mutating func cancel(_ sequence: Int) {
    effects.append(.cancel(sequence: sequence))
    guard let sending, sending.batch.sequence == sequence else { return }
    self.sending = nil
    recordBatch(sending, Concluded(givenUp: lifecycle.state == .resetting))
  }

  private mutating func drop(_ cause: DropCause, _ ids: [String], _ number: Int) {
    let refusal = cause == .refused ? refusal : nil
    if let refusal { setAside(refusal) }
    count(cause, number, refusal)
    if let version = versionToStore, ids.contains(version.messageID) { versionToStore = nil }
    // One line per drop; the ids of a large batch would fill a screen.
    let which = ids.isEmpty ? "" : ": " + ids.prefix(3).map(Masked.id).joined(separator: ", ")
    log(.warning, "Dropped \(number) \(number == 1 ? "event" : "events"), \(cause.sentence(number))\(which).")
  }

  private mutating func disable(_ status: Int) {
    change(.refused)
    let error = DeliveryError(
      .disabled,
      "The endpoint answered \(status) and does not recognise this client: check the write key and the host. "
        + "Nothing more is sent until reset.", status: status)
    log(.error, error.message)
    effects.append(.report(error))
  }
}

/// A body that cannot be encoded.
struct BodyError: Error {}

/// An outcome with additional details for records.
struct Concluded {
  var outcome: DeliveryMachine.Outcome
  var status: Int?
  var error: String?
  var detail: String?
  var retryAfter: Duration?

  init(_ result: Result<DeliveryAnswer, TransportFailure>, now: Date) {
    switch result {
    case .success(let answer) where answer.isLoginPage:
      error = Self.loginPage
      detail = answer.detail
      outcome = .unanswered
    case .success(let answer):
      status = answer.status
      retryAfter = RetryAfter.delay(answer.retryAfter, now: now)
      detail = answer.detail
      outcome = .answered(status: answer.status, retryAfter: retryAfter)
    case .failure(let failure):
      error = failure.code.rawValue
      detail = failure.message
      outcome = .unanswered
    }
  }

  /// The error of an answer that does not come from the endpoint.
  private static let loginPage = "loginPage"

  init(notEncodable error: any Error) {
    outcome = .notEncodable
    self.error = "notEncodable"
    detail = "\(error)"
  }

  /// Creates the outcome of an exchange abandoned because of a reset, or because the transport does not return.
  init(givenUp isReset: Bool) {
    outcome = .unanswered
    error = isReset ? "stale" : TransportFailure.Code.timedOut.rawValue
    detail = isReset ? nil : "the transport did not return"
  }
}
