// The module MisterMetrics.
