import Foundation
import MetaRouter

// How the documentation wires the client into an app with UIKit, one with SwiftUI, and one that asks for permission to
// track. Type-checked against the stand-ins of Stubs.swift; never run.

// MARK: UIKit

class AppDelegate: UIResponder, UIApplicationDelegate {
  var window: UIWindow?
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var analytics: AnalyticsInterface!

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let options = InitOptions(
      writeKey: "your key", ingestionHost: "https://events.example.com", debug: true)
    analytics = MetaRouter.Analytics.initialize(with: options)
    if let url = launchOptions?[.url] as? URL {
      analytics.recordOpenedURL(url, sourceApplication: launchOptions?[.sourceApplication] as? String)
    }
    return true
  }

  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    MetaRouter.Analytics.shared.recordOpenedURL(
      url, sourceApplication: options[.sourceApplication] as? String)
    return true
  }
}

// MARK: SwiftUI

struct RadioApp: App {
  @StateObject private var manager = AnalyticsManager()

  var body: some Scene {
    WindowGroup {
      RadioView()
        .environmentObject(manager)
        .onAppear { manager.start() }
        .onOpenURL { url in
          MetaRouter.Analytics.shared.recordOpenedURL(url, sourceApplication: nil)
        }
    }
  }
}

class AnalyticsManager: ObservableObject {
  private var analytics: AnalyticsInterface?

  func start() {
    let options = InitOptions(writeKey: "your key", ingestionHost: "https://events.example.com")
    analytics = MetaRouter.Analytics.initialize(with: options)
  }

  func track(_ event: String, properties: [String: Any]? = nil) {
    analytics?.track(event, properties: properties)
  }

  func identify(_ userId: String, traits: [String: Any]? = nil) {
    analytics?.identify(userId, traits: traits)
  }
}

struct RadioView: View {
  @EnvironmentObject var manager: AnalyticsManager

  var body: some View {
    Button("Play") {
      manager.track("Play Pressed", properties: ["at": Date().timeIntervalSince1970, "source": "button"])
    }
  }
}

// MARK: App Tracking Transparency

func askForTracking() {
  let options = InitOptions(writeKey: "your key", ingestionHost: "https://events.example.com")
  let analytics = MetaRouter.Analytics.initialize(with: options)
  ATTrackingManager.requestTrackingAuthorization { status in
    switch status {
    case .authorized:
      analytics.setAdvertisingId(ASIdentifierManager.shared().advertisingIdentifier.uuidString)
    case .denied, .restricted, .notDetermined:
      analytics.setAdvertisingId(nil)
    @unknown default:
      analytics.setAdvertisingId(nil)
    }
  }
}
