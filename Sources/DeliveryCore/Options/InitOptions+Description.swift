extension InitOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The host and the end of the write key, so that printed options do not publish the key.
  public var description: String {
    "InitOptions(writeKey: \(Masked.key(writeKey)), ingestionHost: \(ingestionHost))"
  }

  /// Same as ``description``.
  public var debugDescription: String { description }

  /// The options that are values, with the write key masked.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "writeKey": Masked.key(writeKey), "ingestionHost": ingestionHost, "debug": debug,
        "flushIntervalSeconds": flushIntervalSeconds, "maxQueueEvents": maxQueueEvents,
        "maxDiskEvents": maxDiskEvents, "trackLifecycleEvents": trackLifecycleEvents,
        "storageNamespace": storageNamespace, "maxBufferedCalls": maxBufferedCalls,
        "diskFlushEvents": diskFlushEvents, "compressesBodies": compressesBodies,
      ], displayStyle: .struct)
  }
}
