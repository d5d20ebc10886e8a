public import Delivery

// The names under which programs know the client: type aliases alone, so that what was written for the original compiles.

/// The one client of an app: ``Delivery/Analytics``.
public typealias Analytics = Delivery.Analytics

/// The requests an app may make of a client, for dependency injection: ``Delivery/AnalyticsInterface``.
public typealias AnalyticsInterface = Delivery.AnalyticsInterface

/// The options a client is set up with: ``Delivery/InitOptions``.
public typealias InitOptions = Delivery.InitOptions

/// A value of properties and of the debug information: ``Delivery/PropertyValue``.
public typealias CodableValue = Delivery.PropertyValue
