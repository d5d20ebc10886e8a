#if os(Linux)
  import CCurl
  import Essentials
  import Platform

  /// Posts with libcurl, which is loaded at the first post.
  ///
  /// Connections are reused. Proxies come from the environment, as libcurl reads it.
  package struct CurlTransport: DeliveryTransport {
    /// Debian's names: the library that most programs use, and the one that git depends on.
    package static let libraries = ["libcurl.so.4", "libcurl-gnutls.so.4"]

    private let connection: CurlConnection

    /// Creates a transport with the first library found.
    ///
    /// - Parameter authorities: A file with the trusted certificates, instead of the system's.
    package init(libraries: [String] = CurlTransport.libraries, authorities: String? = nil) {
      connection = CurlConnection(libraries: libraries, authorities: authorities)
    }

    package func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
      let cancellation = WakeSignal()
      let outcome = await withTaskCancellationHandler {
        await connection.post(request, cancellation)
      } onCancel: {
        cancellation.raise()
      }
      return try outcome.get()
    }
  }

  /// libcurl with its connections, on a thread of its own that waits for the network.
  private actor CurlConnection {
    private let libraries: [String]
    private let authorities: String?
    private let thread = ThreadExecutor()
    private var handle: CurlHandle?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(libraries: [String], authorities: String?) {
      self.libraries = libraries
      self.authorities = authorities
    }

    func post(
      _ request: DeliveryRequest, _ cancellation: WakeSignal
    ) -> Result<DeliveryAnswer, TransportFailure> {
      handle =
        handle
        ?? libraries.lazy.compactMap { [authorities] in CurlHandle(library: $0, authorities: authorities) }
        .first
      guard let handle else {
        return .failure(
          TransportFailure(.unavailable, "libcurl is not installed (\(libraries.joined(separator: ", ")))"))
      }
      return handle.post(request, cancellation)
    }
  }
#endif
