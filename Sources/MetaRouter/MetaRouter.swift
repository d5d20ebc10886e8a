public import Delivery

// The client's original names as type aliases, so that programs written for the original compile.

/// The app's single client: ``Delivery/Analytics``.
public typealias Analytics = Delivery.Analytics

/// The calls that an app can make to a client, for dependency injection: ``Delivery/AnalyticsInterface``.
public typealias AnalyticsInterface = Delivery.AnalyticsInterface

/// The options of a client: ``Delivery/InitOptions``.
public typealias InitOptions = Delivery.InitOptions

/// A value in properties and debug information: ``Delivery/PropertyValue``.
public typealias CodableValue = Delivery.PropertyValue
