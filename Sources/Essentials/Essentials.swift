// One import for what every module builds on: the C library, and of Foundation only its essentials, because the rest
// brings 34 MB of ICU's tables into every program. No other file imports Foundation (`make lint`), but the ones that
// offer its types to apps.

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif

#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#endif
