@_exported public import MisterMetricsCore
