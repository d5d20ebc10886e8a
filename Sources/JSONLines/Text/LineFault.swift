/// The reason a line yields no sample.
struct LineFault: Error {
  let reason: RejectionReason

  init(_ reason: RejectionReason) {
    self.reason = reason
  }
}
