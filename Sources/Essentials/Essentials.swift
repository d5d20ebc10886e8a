// One import of the base of every module: the C library, and only the essentials of Foundation, because the rest adds
// 34 MB of ICU tables to every program. No other file imports Foundation (`make lint`), except those that offer its
// types to apps.

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
