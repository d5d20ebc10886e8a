@_exported public import DeliveryCore
