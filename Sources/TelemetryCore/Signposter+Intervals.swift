extension Signposter {
  /// Begins an interval.
  ///
  /// - Parameters:
  ///   - name: The name; the end takes the same one.
  ///   - id: Distinguishes overlapping intervals of one name.
  ///   - message: The text to record; evaluated only when enabled.
  /// - Returns: The state to pass to the end.
  @inlinable
  public func beginInterval(
    _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String? = nil
  ) -> SignpostIntervalState {
    guard let core else { return .disabled }
    return core.begin(name, id, message(), isAnimation: false)
  }

  /// Begins an animation interval, which also measures late frames.
  ///
  /// If the system does not detect them, the drawing code reports each with ``SignpostIntervalState/noteHitch(_:)``.
  ///
  /// - Parameters:
  ///   - name: The name; the end takes the same one.
  ///   - id: Distinguishes overlapping intervals of one name.
  ///   - message: The text to record; evaluated only when enabled.
  /// - Returns: The state to pass to the end.
  @inlinable
  public func beginAnimationInterval(
    _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String? = nil
  ) -> SignpostIntervalState {
    guard let core else { return .disabled }
    return core.begin(name, id, message(), isAnimation: true)
  }

  /// Ends an interval and records it.
  ///
  /// - Parameters:
  ///   - name: The name given at the begin.
  ///   - state: The state returned by the begin; it takes one end.
  ///   - message: The text to append to the message of the begin; evaluated only when enabled.
  @inlinable
  public func endInterval(
    _ name: StaticString, _ state: SignpostIntervalState, _ message: @autoclosure () -> String? = nil
  ) {
    guard let core else { return }
    core.end(name, state, message: message(), error: nil)
  }

  /// Measures work, including work that fails.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - id: Distinguishes overlapping intervals of one name.
  ///   - message: The text to record; evaluated only when enabled.
  ///   - task: The work.
  /// - Returns: The result of the work.
  /// - Throws: The error of the work; its text is recorded.
  public func withIntervalSignpost<Result, Failure: Error>(
    _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String? = nil,
    around task: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let core else { return try task() }
    let state = core.begin(name, id, message(), isAnimation: false)
    do {
      let result = try task()
      core.end(name, state, message: nil, error: nil)
      return result
    } catch {
      core.end(name, state, message: nil, error: String(describing: error))
      throw error
    }
  }

  /// Measures asynchronous work, including work that fails.
  ///
  /// While it is suspended, other work may begin an interval of the same name: give each its own ``makeSignpostID()`` then.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - id: Distinguishes overlapping intervals of one name.
  ///   - message: The text to record; evaluated only when enabled.
  ///   - isolation: The actor of the caller, where the work runs.
  ///   - task: The work.
  /// - Returns: The result of the work.
  /// - Throws: The error of the work; its text is recorded.
  public func withIntervalSignpost<Result, Failure: Error>(
    _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String? = nil,
    isolation: isolated (any Actor)? = #isolation, around task: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard let core else { return try await task() }
    let state = core.begin(name, id, message(), isAnimation: false)
    do {
      let result = try await task()
      core.end(name, state, message: nil, error: nil)
      return result
    } catch {
      core.end(name, state, message: nil, error: String(describing: error))
      throw error
    }
  }
}
