/// The words for units in all languages, as systems before iOS 16 wrote them.
///
/// Collected from the short forms of CLDR for 59 locales and from real payloads (`千字节` was seen, though CLDR now
/// gives `kB`). Several languages share a word; none gives it two meanings within one dimension.
enum UnitWords {
  /// Keyed by the word as returned by ``NormalizedText/unit``.
  static let durations = table([
    (.seconds, secondWords), (.milliseconds, millisecondWords), (.minutes, minuteWords), (.hours, hourWords),
  ])

  /// Keyed by the word as returned by ``NormalizedText/unit``.
  static let information = table([
    (.bytes, byteWords), (.kilobytes, kilobyteWords), (.megabytes, megabyteWords),
    (.gigabytes, gigabyteWords), (.terabytes, "TB|To|Tt|ТБ|terabyte|terabytes"), (.kibibytes, "KiB|Kio"),
    (.mebibytes, "MiB|Mio"), (.gibibytes, "GiB|Gio"), (.tebibytes, "TiB|Tio"),
  ])

  private static let secondWords = """
    s|sec|secs|second|seconds|Sek.|sek.|sn.|mp|сек|с|δευτ.|giây|dtk|saat|秒|초|วิ|שנ׳|ث|ثانیه|से॰|से|সেকেন্ড|விநாடி
    """
  private static let millisecondWords = """
    ms|millisec|millisecs|millisecond|milliseconds|msec|мс|мсек|msn|md|毫秒|밀리초|ミリ秒|ملي ث|میلی\u{200C}ثانیه|मि॰से॰|मिलिसे\
    |มิลลิวินาที|mili giây|மி.வி.
    """
  private static let minuteWords = """
    min|mins|Min.|minute|minutes|p|мин|хв|λ.|dk.|דק׳|د|دقیقه|मि॰|मिनि|মিনিট|นาที|phút|mnt|分|분|分钟|分鐘|mín.|நிமி.
    """
  private static let hourWords = """
    h|hr|hrs|hour|hours|Std.|uur|tim|t|godz.|ó|ore|oră|ч|год|ώ.|sa.|שע׳|שעה|שעתיים|س|ساعت|घं॰|ता|ঘণ্টা|ชม.|giờ|j|時間\
    |시간|小时|小時|сат|сати|сата|st.|val.|klst.|ம.
    """
  private static let byteWords = """
    byte|bytes|B|o|t|bájt|bayt|Б|בייט|بايت|بایت|बाइट|বাইট|ไบต์|bait|baiti|bajt|bajta|bajtova|bajtov|bæti|பை.|字节
    """
  private static let kilobyteWords = "kB|ko|kt|кБ|كيلوبايت|千字节|kilobyte|kilobytes"
  private static let megabyteWords = "MB|Mo|Mt|МБ|م.ب|megabyte|megabytes"
  private static let gigabyteWords = "GB|Go|Gt|ГБ|غ.ب|gigabyte|gigabytes"

  private static func table(_ rows: [(PayloadUnit, String)]) -> [String: PayloadUnit] {
    var table: [String: PayloadUnit] = [:]
    for (unit, words) in rows {
      for word in words.split(separator: "|") { table[NormalizedText(String(word)).unit] = unit }
    }
    return table
  }
}
