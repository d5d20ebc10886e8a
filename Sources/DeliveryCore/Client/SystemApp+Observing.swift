import Essentials

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#endif

extension SystemApp {
  /// Reports the app's lifecycle to the client from now on.
  static func observe(_ proxy: AnalyticsProxy) {
    #if canImport(UIKit) && !os(watchOS)
      let center = NotificationCenter.default
      for (name, call) in [
        (UIApplication.didBecomeActiveNotification, Call.enterForeground),
        (UIApplication.didEnterBackgroundNotification, Call.enterBackground(nil)),
        (UIApplication.willTerminateNotification, Call.terminate(nil)),
      ] {
        _ = center.addObserver(forName: name, object: nil, queue: nil) { _ in proxy.accept(call) }
      }
    #endif
  }
}
