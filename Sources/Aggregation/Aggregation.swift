// The module Aggregation.
