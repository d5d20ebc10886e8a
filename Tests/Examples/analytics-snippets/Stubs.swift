import Foundation

// Stand-ins for what the snippets use of Apple's frameworks: as much as the compiler needs.

class UIResponder {}
class UIWindow {}
class UIApplication {
  struct LaunchOptionsKey: Hashable {
    static let url = LaunchOptionsKey()
    static let sourceApplication = LaunchOptionsKey()
  }
  struct OpenURLOptionsKey: Hashable {
    static let sourceApplication = OpenURLOptionsKey()
  }
}
protocol UIApplicationDelegate {}

protocol Scene {}
protocol App {
  associatedtype Body: Scene
  var body: Body { get }
}
protocol View {
  associatedtype Body: View
  var body: Body { get }
}
extension Never: View {
  var body: Never { preconditionFailure("a stand-in is never drawn") }
}
struct WindowGroup<Content: View>: Scene {
  init(content: () -> Content) {}
}
struct Button: View {
  init(_ title: String, action: @escaping () -> Void) {}
  var body: Never { preconditionFailure("a stand-in is never drawn") }
}
extension View {
  func environmentObject(_ object: some ObservableObject) -> Self { self }
  func onAppear(perform action: @escaping () -> Void) -> Self { self }
  func onOpenURL(perform action: @escaping (URL) -> Void) -> Self { self }
}
protocol ObservableObject: AnyObject {}

@propertyWrapper
struct StateObject<Object: ObservableObject> {
  let wrappedValue: Object
  init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
}
@propertyWrapper
struct EnvironmentObject<Object: ObservableObject> {
  var wrappedValue: Object { preconditionFailure("a stand-in is never drawn") }
}

enum ATTrackingManager {
  enum AuthorizationStatus { case notDetermined, restricted, denied, authorized }
  static func requestTrackingAuthorization(_ answer: @escaping (AuthorizationStatus) -> Void) {}
}
class ASIdentifierManager {
  static func shared() -> ASIdentifierManager { ASIdentifierManager() }
  let advertisingIdentifier = UUID()
}
