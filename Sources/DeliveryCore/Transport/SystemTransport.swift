/// The transport this platform posts with.
package enum SystemTransport {
  /// A transport that is ready to use; it connects when it posts.
  package static func make() -> any DeliveryTransport {
    #if canImport(Darwin)
      URLSessionTransport()
    #else
      CurlTransport()
    #endif
  }
}
