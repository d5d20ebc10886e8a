// Sanitizes external text for a terminal: a log, a path and the environment may contain control sequences.
#include <stdio.h>
#include <string.h>

#include "Guard.h"

// The length of the printable character at the front; 0 if the first byte has to be replaced.
static size_t sign_length(const unsigned char *bytes, size_t count) {
  unsigned char first = bytes[0];
  if (first >= 0x20 && first < 0x7F) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length > count) return 0;
  for (size_t i = 1; i < length; i++)
    if ((bytes[i] & 0xC0) != 0x80) return 0;
  // Unicode has more control characters after 0x7F, up to 0x9F.
  return first == 0xC2 && bytes[1] < 0xA0 ? 0 : length;
}

size_t make_plain(const char *bytes, size_t count, int has_lines, char *plain, size_t capacity) {
  size_t length = 0;
  for (size_t i = 0; i < count;) {
    size_t sign = sign_length((const unsigned char *)bytes + i, count - i);
    if (sign == 0 && has_lines && (bytes[i] == '\n' || bytes[i] == '\t')) sign = 1;
    if (length + (sign == 0 ? 4 : sign) >= capacity) break;
    if (sign == 0) {
      length += (size_t)snprintf(plain + length, capacity - length, "\\x%02X", (unsigned char)bytes[i++]);
    } else {
      memcpy(plain + length, bytes + i, sign);
      length += sign;
      i += sign;
    }
  }
  plain[length] = 0;
  return length;
}
