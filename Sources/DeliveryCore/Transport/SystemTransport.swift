/// The platform's transport.
package enum SystemTransport {
  /// Creates a transport; it connects when it posts.
  package static func make() -> any DeliveryTransport {
    #if canImport(Darwin)
      URLSessionTransport()
    #else
      CurlTransport()
    #endif
  }
}
