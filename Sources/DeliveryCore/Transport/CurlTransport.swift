#if os(Linux)
  import HTTPClient
  import Platform

  /// Posts with libcurl, which is loaded at the first post.
  package struct CurlTransport: DeliveryTransport {
    private let connection: CurlConnection

    /// Creates a transport with the first library found.
    ///
    /// - Parameter authorities: A file with the trusted certificates, instead of the system's.
    package init(libraries: [String] = CurlHandle.libraries, authorities: String? = nil) {
      connection = CurlConnection(libraries: libraries, authorities: authorities)
    }

    package func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
      let cancellation = WakeSignal()
      let outcome = await withTaskCancellationHandler {
        await connection.post(HTTPRequest(request), cancellation)
      } onCancel: {
        cancellation.raise()
      }
      return try outcome.map(DeliveryAnswer.init).mapError(TransportFailure.init).get()
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

    func post(_ request: HTTPRequest, _ cancellation: WakeSignal) -> Result<HTTPAnswer, HTTPFailure> {
      do throws(HTTPFailure) {
        return try opened().post(request, cancellation)
      } catch {
        return .failure(error)
      }
    }

    private func opened() throws(HTTPFailure) -> CurlHandle {
      if let handle { return handle }
      let opened = try CurlHandle(libraries: libraries, authorities: authorities)
      handle = opened
      return opened
    }
  }
#endif
