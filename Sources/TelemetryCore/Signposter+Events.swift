extension Signposter {
  /// Records that something happened.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - id: What it belongs to.
  ///   - count: How often it happened.
  ///   - message: What to note; evaluated only when enabled.
  @inlinable
  public func emitEvent(
    _ name: StaticString, id: SignpostID = .exclusive, count: Int = 1,
    _ message: @autoclosure () -> String? = nil
  ) {
    guard let core else { return }
    core.emit(name, id, count: count, message: message())
  }
}
