extension Signposter {
  /// Records an event.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - id: The id of the related interval or object.
  ///   - count: Number of occurrences.
  ///   - message: The text to record; evaluated only when enabled.
  @inlinable
  public func emitEvent(
    _ name: StaticString, id: SignpostID = .exclusive, count: Int = 1,
    _ message: @autoclosure () -> String? = nil
  ) {
    guard let core else { return }
    core.emit(name, id, count: count, message: message())
  }
}
