import Codecs
import Essentials
import Platform

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#endif

/// The context of this process, on Linux and on Apple platforms.
package struct SystemContext: ContextSource {
  private struct State: Sendable {
    var app: EventContext.App
    var screen = EventContext.Screen()
    var isWifi: Bool?
    var locale = ""
    var timeZone = ""
    /// When the zone's name was last read, which is too slow to do for every event.
    var zoneReadAt: MonotonicInstant?
    var generation = 0
  }

  private let state: Locked<State>
  /// The locale from the variables of the process, where they are what counts.
  private let environmentLocale: String

  /// - Parameters:
  ///   - app: The app, where its bundle does not say.
  ///   - environment: The variables of the process.
  package init(
    app: EventContext.App? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    state = Locked(State(app: app ?? Self.bundledApp))
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
    environmentLocale = Self.localeName(names.first { !$0.isEmpty } ?? "")
    #if canImport(UIKit) && !os(watchOS)
      readScreen()
    #endif
  }

  /// Notes what the network is; `nil` where that is not known.
  package func setWifi(_ isWifi: Bool?) {
    state.withLock { state in
      guard state.isWifi != isWifi else { return }
      state.isWifi = isWifi
      state.generation &+= 1
    }
  }

  package var generation: Int {
    let (locale, now) = (currentLocale, MonotonicInstant.now())
    return state.withLock { state in
      let isOld = state.zoneReadAt.map { now - $0 >= 1 } ?? true
      if isOld { state.zoneReadAt = now }
      let timeZone = isOld ? Self.currentTimeZone : state.timeZone
      if state.locale != locale || state.timeZone != timeZone {
        (state.locale, state.timeZone) = (locale, timeZone)
        state.generation &+= 1
      }
      return state.generation
    }
  }

  package func context() -> EventContext {
    var context = EventContext()
    state.withLock { state in
      context.app = state.app
      context.screen = state.screen
      context.isWifi = state.isWifi
    }
    context.device = Self.device
    context.os = Self.system
    context.locale = currentLocale
    context.timeZone = Self.currentTimeZone
    return context
  }
}

// MARK: App, locale and zone

extension SystemContext {
  private static var bundledApp: EventContext.App {
    var app = EventContext.App()
    app.name = ProcessInfo.processInfo.processName
    #if canImport(Darwin)
      let information = Bundle.main.infoDictionary ?? [:]
      func text(_ key: String) -> String? { (information[key] as? String).flatMap { $0.isBlank ? nil : $0 } }
      app.name = text("CFBundleDisplayName") ?? text("CFBundleName") ?? app.name
      app.version = text("CFBundleShortVersionString") ?? app.version
      app.build = text("CFBundleVersion") ?? app.build
      app.namespace = Bundle.main.bundleIdentifier ?? app.namespace
    #endif
    return app
  }

  private var currentLocale: String {
    #if canImport(Darwin)
      Self.localeName(Locale.current.identifier)
    #else
      environmentLocale
    #endif
  }

  /// `de-DE` for `de_DE`, `de_DE.UTF-8` and `de_DE@euro`; `en-US` for what names no language.
  package static func localeName(_ name: String) -> String {
    let plain = name.prefix { $0 != "." && $0 != "@" }
    guard !plain.isEmpty, plain != "C", plain != "POSIX" else { return EventContext().locale }
    return String(plain.map { $0 == "_" ? "-" : $0 })
  }

  private static var currentTimeZone: String {
    let name = ZoneName.current
    return name.isEmpty || name == "GMT" ? EventContext().timeZone : name
  }
}

// MARK: Device and system

extension SystemContext {
  private static var device: EventContext.Device {
    var device = EventContext.Device()
    #if canImport(Darwin)
      device.manufacturer = "Apple"
      #if os(macOS)
        device.model = systemText("hw.model") ?? device.model
        device.type = "desktop"
      #else
        device.model =
          ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] ?? systemText("hw.machine")
          ?? device.model
        device.type = deviceType(ofModel: device.model)
      #endif
    #else
      device.manufacturer = fileText("/sys/class/dmi/id/sys_vendor") ?? device.manufacturer
      device.model =
        fileText("/sys/class/dmi/id/product_name") ?? fileText("/proc/device-tree/model") ?? device.model
    #endif
    return device
  }

  private static var system: EventContext.System {
    var system = EventContext.System()
    #if canImport(Darwin)
      let version = ProcessInfo.processInfo.operatingSystemVersion
      system.version = "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
      #if os(macOS)
        system.name = "macOS"
      #elseif os(tvOS)
        system.name = "tvOS"
      #elseif os(watchOS)
        system.name = "watchOS"
      #elseif os(visionOS)
        system.name = "visionOS"
      #else
        system.name = "iOS"
      #endif
    #else
      system.name = "Linux"
      system.version = fileText("/proc/sys/kernel/osrelease") ?? system.version
    #endif
    return system
  }

  #if canImport(Darwin)
    private static func deviceType(ofModel model: String) -> String {
      let types = [
        ("iPhone", "phone"), ("iPod", "phone"), ("iPad", "tablet"), ("AppleTV", "tv"), ("Watch", "watch"),
        ("RealityDevice", "headset"),
      ]
      return types.first { model.hasPrefix($0.0) }?.1 ?? EventContext.unknown
    }

    private static func systemText(_ name: String) -> String? {
      var size = 0
      guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  #else
    /// The text of a kernel file; `nil` if it is missing, blank or cannot be read.
    private static func fileText(_ path: String) -> String? {
      guard let data = FileManager.default.contents(atPath: path) else { return nil }
      let text = String(decoding: data.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      return text.isBlank ? nil : text.trimmed
    }
  #endif

  #if canImport(UIKit) && !os(watchOS) && !os(visionOS)
    /// Only the main thread knows the screen; events before it has reported the screen have none.
    private func readScreen() {
      let state = state
      Task { @MainActor in
        let (size, density) = (UIScreen.main.nativeBounds.size, UIScreen.main.nativeScale)
        state.withLock { state in
          state.screen.width = Int64(size.width)
          state.screen.height = Int64(size.height)
          state.screen.density = Double(density)
          state.generation &+= 1
        }
      }
    }
  #elseif canImport(UIKit) && !os(watchOS)
    private func readScreen() {}
  #endif
}
