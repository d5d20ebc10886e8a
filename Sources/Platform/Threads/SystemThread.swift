import CAttributes
import Essentials

/// Dedicated threads for blocking work, which must not hold a thread of the cooperative pool.
package enum SystemThread {
  /// Starts a thread that ends with its work.
  ///
  /// Signals go to other threads unless `takesSignals`: a stop restores the terminal on the drawing thread, so nothing
  /// is drawn at the same time. Crash signals stay on the thread that crashes.
  ///
  /// - Parameters:
  ///   - name: The name in debuggers and crash reports; at most 15 bytes.
  ///   - stackSize: Stack size in bytes; the system's default unless given.
  ///   - isBackground: Lower priority, for work that no one waits for (Apple platforms).
  package static func start(
    _ name: String, stackSize: Int? = nil, takesSignals: Bool = false, isBackground: Bool = false,
    work: @escaping @Sendable () -> Void
  ) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    // A thread inherits the signal mask of the thread that creates it.
    var before = sigset_t()
    if !takesSignals {
      var held = sigset_t()
      sigfillset(&held)
      for number in [SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSYS] { sigdelset(&held, number) }
      pthread_sigmask(SIG_BLOCK, &held, &before)
    }
    create(attributes, Unmanaged.passRetained(NamedWork(name: name, isBackground: isBackground, work: work)))
    if !takesSignals { pthread_sigmask(SIG_SETMASK, &before, nil) }
  }

  private static func create(_ attributes: pthread_attr_t, _ work: Unmanaged<NamedWork>) {
    var attributes = attributes
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let error = pthread_create(
      &thread, &attributes,
      { pointer in
        let pointer: UnsafeMutableRawPointer? = pointer
        if let pointer { Unmanaged<NamedWork>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, work.toOpaque())
    if error != 0 { work.release() }
  }
}

/// The work of a thread, and the name it runs under.
private final class NamedWork: Sendable {
  private let name: String
  private let isBackground: Bool
  private let work: @Sendable () -> Void

  init(name: String, isBackground: Bool, work: @escaping @Sendable () -> Void) {
    (self.name, self.isBackground, self.work) = (name, isBackground, work)
  }

  func run() {
    name_this_thread(name)
    #if canImport(Darwin)
      if isBackground { pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0) }
    #endif
    work()
  }
}
