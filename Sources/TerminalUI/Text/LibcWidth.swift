import CWidth
import Essentials

/// Width in columns according to libc in the process's locale; -1 if unknown.
func libcWidth(_ value: UInt32) -> Int32 {
  mistertop_width(value)
}

/// The character type locale of the process, on which widths and output depend.
package enum TextLocale {
  /// Takes the locale from the environment; returns true if it is UTF-8.
  @discardableResult
  package static func adoptEnvironment() -> Bool {
    setlocale(LC_CTYPE, "")
    return isUTF8
  }

  /// Sets the first available UTF-8 locale, whatever the environment says; false if there is none.
  @discardableResult
  package static func adoptUTF8() -> Bool {
    for name in ["C.UTF-8", "en_US.UTF-8", "UTF-8"] where setlocale(LC_CTYPE, name) != nil {
      return true
    }
    return isUTF8
  }

  package static var isUTF8: Bool {
    guard let name = nl_langinfo(nl_item(CODESET)) else { return false }
    return String(cString: name).uppercased().replacing("-", with: "") == "UTF8"
  }
}
